/** The choice of an area on the pages of settings and of policies. It stands in the address, as `?area=forge`. */

/** The area that a section of the third level belongs to, by the page. */
const areaOf: Readonly<Record<string, (heading: string) => string>> = {
  settings: (heading) => heading,
  policies: (heading) => heading.split("-")[0] ?? "",
};

/** Adds the choice below the title of a page that has areas, and shows what the address names. */
export function addAreas(): void {
  const page = /\/reference\/(\w+)(?:\.html)?$/.exec(location.pathname)?.[1] ?? "";
  const area = areaOf[page];
  const title = document.querySelector(".vp-doc h1");
  if (!area || !title?.parentElement || document.querySelector("#area")) return;
  const blocks = [...title.parentElement.children].slice(1) as HTMLElement[];
  const areas = areasOf(blocks, area);
  const names = [...new Set(areas.filter((each) => each !== undefined))];

  const label = document.createElement("label");
  label.className = "area";
  const select = document.createElement("select");
  select.id = "area";
  select.add(new Option("all", ""));
  for (const name of names) select.add(new Option(name, name));
  label.append("Area: ", select);
  title.after(label);

  const show = () => {
    const chosen = select.value;
    let chapter: HTMLElement | undefined;
    for (const [index, block] of blocks.entries()) {
      block.hidden = chosen !== "" && areas[index] !== chosen;
      // The heading above stays: without it a section of the third level has none.
      if (block.tagName === "H2") chapter = block;
      else if (!block.hidden && chapter) chapter.hidden = false;
    }
    // VitePress draws these links once the page is there.
    requestAnimationFrame(() => {
      for (const link of document.querySelectorAll<HTMLAnchorElement>(".outline-link"))
        link.hidden = target(link.hash)?.hidden ?? false;
    });
  };
  const address = new URL(location.href);
  const asked = address.searchParams.get("area") ?? "";
  select.value = names.includes(asked) ? asked : "";
  select.addEventListener("change", () => {
    const url = new URL(location.href);
    if (select.value === "") url.searchParams.delete("area");
    else url.searchParams.set("area", select.value);
    url.hash = "";
    history.replaceState(history.state, "", url);
    show();
  });
  // A link to what is hidden shows all of the page. The former page's handler goes with this one.
  window.onhashchange = () => {
    if (!target(location.hash)?.hidden) return;
    select.value = "";
    show();
    target(location.hash)?.scrollIntoView();
  };
  show();
  window.onhashchange(new HashChangeEvent("hashchange"));
}

const target = (hash: string) => document.getElementById(decodeURIComponent(hash.slice(1)));

/** The area of each block: that of the heading of the third level above it, in the chapters that have areas. */
function areasOf(blocks: readonly HTMLElement[], area: (heading: string) => string): (string | undefined)[] {
  let chapter = "";
  let current: string | undefined;
  return blocks.map((block) => {
    if (block.tagName === "H2") [chapter, current] = [block.id, undefined];
    // A heading ends with a link to itself, whose text is a space without width.
    if (block.tagName === "H3" && /^(?:all-settings|platform-.*)$/.test(chapter))
      current = area(block.textContent.replaceAll("\u200b", "").trim());
    return current;
  });
}
