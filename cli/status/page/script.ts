/** Seconds between two looks of a page that somebody sees. */
const pauseSeconds = 5;

/** Runs in the browser: fetches the page again, shows what is new in it, and posts the buttons' requests. */
export const pageScript = `
const live = document.getElementById("live");
const say = (text) => { if (live.textContent !== text) live.textContent = text; };
function localTimes(root) {
  for (const time of root.querySelectorAll("time")) time.textContent = new Date(time.dateTime).toLocaleString();
}
function show(next) {
  localTimes(next);
  for (const part of next.querySelectorAll("[data-live]")) {
    const old = document.getElementById(part.id);
    if (!old || old.innerHTML === part.innerHTML) continue;
    const focused = old.contains(document.activeElement) ? document.activeElement : undefined;
    const [attribute, value] = focused?.dataset?.site ? ["data-site", focused.dataset.site] : ["href", focused?.getAttribute("href")];
    old.innerHTML = part.innerHTML;
    // The link or button that had the focus keeps it in its new row.
    if (value) old.querySelector("[" + attribute + '="' + CSS.escape(value) + '"]')?.focus();
  }
}
async function refresh() {
  if (document.hidden) return;
  try {
    const answer = await fetch(location.href, { signal: AbortSignal.timeout(60000) });
    if (!answer.ok) return say("It can't be shown any more: the server answers " + answer.status + ".");
    show(new DOMParser().parseFromString(await answer.text(), "text/html"));
    say("Live: changes appear automatically.");
  } catch {
    say("The page's server does not answer. Trying again.");
  }
}
async function keepOn() {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, ${pauseSeconds * 1000}));
    await refresh();
  }
}
document.addEventListener("visibilitychange", refresh);
document.addEventListener("click", async ({ target }) => {
  const site = target.dataset?.site;
  if (!site) return;
  target.disabled = true;
  const answer = await fetch("/sync/" + site, { method: "POST" }).catch(() => undefined);
  document.getElementById("answer").textContent = answer ? site + ": " + (await answer.text()) : "The page's server does not answer.";
  target.disabled = false;
});
localTimes(document);
say("Live: changes appear automatically.");
keepOn();
`;
