/** Runs in the browser: shows what the server sends, and posts the buttons' requests. */
export const pageScript = `
const at = (id) => document.getElementById(id);
const live = at("live");
const events = new EventSource("/events");
events.onopen = () => { live.textContent = "Live: changes appear automatically."; };
events.onerror = () => { live.textContent = "The sandbox does not answer. Trying again."; };
for (const id of ["picture", "sites", "verdicts"])
  events.addEventListener(id, ({ data }) => {
    const focused = document.activeElement?.dataset?.site;
    at(id).innerHTML = data;
    localTimes();
    // The button that was pressed keeps the focus in its new row.
    if (id === "sites" && focused) document.querySelector('[data-site="' + CSS.escape(focused) + '"]')?.focus();
  });
function localTimes() {
  for (const time of document.querySelectorAll("time")) time.textContent = new Date(time.dateTime).toLocaleString();
}
document.addEventListener("click", async ({ target }) => {
  const site = target.dataset?.site;
  if (!site) return;
  target.disabled = true;
  const answer = await fetch("/sync/" + site, { method: "POST" }).catch(() => undefined);
  at("answer").textContent = answer ? site + ": " + (await answer.text()) : "The sandbox does not answer.";
  target.disabled = false;
});
localTimes();
`;
