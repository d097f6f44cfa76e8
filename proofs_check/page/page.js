"use strict";
// The claims: which are shown, and which are open.
(() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const byId = (name) => document.getElementById(name);
  const claims = all(".claim");
  const texts = new Map(claims.map((claim) => [claim, claim.textContent.toLowerCase()]));

  function filter() {
    const verdicts = new Set(all("input[name=verdict]:checked").map((box) => box.value));
    const words = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const claim of claims) {
      const fits = verdicts.has(claim.dataset.verdict) && words.every((word) => texts.get(claim).includes(word));
      claim.hidden = !fits;
      shown += fits ? 1 : 0;
    }
    byId("shown").textContent = `${shown} of ${claims.length} claims shown`;
  }

  function open(value) {
    for (const claim of claims) if (!value || !claim.hidden) claim.querySelector("details").open = value;
  }

  // A link to a claim opens it, even if the filter hides it.
  function visit() {
    const name = decodeURIComponent(location.hash.slice(1));
    const target = name && byId(name);
    if (!target || target.tagName !== "DETAILS") return;
    const claim = target.closest(".claim");
    if (claim) claim.hidden = false;
    target.open = true;
    target.scrollIntoView();
    target.querySelector("summary").focus({ preventScroll: true });
  }

  let before = [];
  addEventListener("beforeprint", () => {
    before = all("details:not([open])");
    for (const one of before) if (!one.closest(".claim")?.hidden) one.open = true;
  });
  addEventListener("afterprint", () => before.forEach((one) => (one.open = false)));

  function save() {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([byId("data").textContent], { type: "application/json" }));
    link.download = "tallyplan-report.json";
    link.click();
  }

  byId("controls").hidden = false;
  byId("save").hidden = false;
  byId("controls").addEventListener("submit", (event) => event.preventDefault());
  byId("controls").addEventListener("input", filter);
  byId("expand").addEventListener("click", () => open(true));
  byId("collapse").addEventListener("click", () => open(false));
  byId("save").addEventListener("click", save);
  addEventListener("hashchange", visit);
  filter();
  visit();
})();
