import fc from "fast-check";
import { expect, test } from "vitest";
import { completeForge, configurationOf } from "../forge.ts";
import { renderPods } from "./pod.ts";

/** Text in which ERB, YAML, Ruby or gomplate could see more than text. */
const awkward = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "<%",
        "<%=",
        "<%%",
        "%>",
        "%%>",
        "%",
        "#{1}",
        "'",
        '"',
        "\\",
        ": ",
        " #",
        "\n",
        "- ",
        "{%",
        "~",
        "no",
      ),
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 4 }),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((parts) => parts.join(""));

const texts = fc.record({ displayName: awkward, user: awkward, label: awkward, base: awkward });

/** A configuration that has the texts where people write freely. */
function withTexts({ displayName, user, label, base }: { [Key in "displayName" | "user" | "label" | "base"]: string }) {
  const secret = { name: "any", key: "any" };
  return configurationOf({
    ...completeForge,
    administration: {
      smtp: { host: "mail.example.org", from: displayName, displayName, user, password: secret },
      signOn: {
        providers: [{ name: "corp", kind: "openid_connect", label, provider: secret }],
        ldap: [{ name: "main", host: "ldap.example.org", base, userFilter: label }],
      },
    },
  });
}

test("any text in the settings is the same text in the forge", () => {
  // One Ruby for all: a property that starts a process for each case would take minutes.
  const samples = fc.sample(texts, 30);
  const pods = renderPods(samples.map((sample) => ["jobs", withTexts(sample)] as const));
  for (const [index, { displayName, user, label, base }] of samples.entries()) {
    const { gitlab, omniauth, ldap } = pods[index]?.["gitlab.yml"]?.data.production ?? {};
    expect(gitlab).toMatchObject({ email_from: displayName, email_display_name: displayName });
    expect(omniauth.providers[0]).toMatchObject({ name: "corp", label });
    expect(ldap.servers.main).toMatchObject({ base, user_filter: label });
    expect(pods[index]?.["smtp_settings.rb"]?.data).toMatchObject({ user_name: user });
  }
});
