"use strict";
(() => {
  const filters = document.getElementById("filters");
  const paths = Array.from(document.querySelectorAll("details.path[data-status]"));
  const groups = Array.from(document.querySelectorAll(".group"));

  const openTarget = () => {
    let target = null;
    try { target = document.getElementById(decodeURIComponent(location.hash.slice(1))); } catch { return; }
    if (target instanceof HTMLDetailsElement) {
      if (target.hidden) { reset(); }
      target.open = true;
      target.scrollIntoView();
    }
  };
  let reset = () => {};

  if (filters) {
    const text = document.getElementById("filter-text");
    const selects = Array.from(filters.querySelectorAll("select"));
    const shown = document.getElementById("shown");
    const nothing = document.getElementById("nothing");
    // What the search looks at: the path and the facts, not the code.
    const words = paths.map((path) => {
      const facts = path.querySelector(".facts");
      return (path.querySelector("summary").textContent + " " + (facts ? facts.textContent : "")).toLowerCase();
    });
    const apply = () => {
      const wanted = text.value.toLowerCase().split(/\s+/).filter(Boolean);
      let count = 0;
      paths.forEach((path, index) => {
        const fits = selects.every((one) => !one.value || path.dataset[one.dataset.key] === one.value)
          && wanted.every((word) => words[index].includes(word));
        path.hidden = !fits;
        count += fits ? 1 : 0;
      });
      groups.forEach((group) => { group.hidden = !group.querySelector("details.path:not([hidden])"); });
      shown.textContent = `${count} of ${paths.length} shown`;
      nothing.hidden = count !== 0;
    };
    reset = () => { text.value = ""; selects.forEach((one) => { one.value = ""; }); apply(); };
    text.addEventListener("input", apply);
    selects.forEach((one) => one.addEventListener("change", apply));
    document.getElementById("reset").addEventListener("click", () => reset());
    document.getElementById("unfold").addEventListener("click", () => {
      paths.forEach((path) => { if (!path.hidden) { path.open = true; } });
    });
    document.getElementById("fold").addEventListener("click", () => {
      paths.forEach((path) => { path.open = false; });
    });
    filters.hidden = false;
    apply();
  }

  if (navigator.clipboard) {
    document.querySelectorAll("figure.commands").forEach((figure) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = "Copy";
      button.setAttribute("aria-label", `Copy the commands: ${figure.querySelector("figcaption").textContent}`);
      button.addEventListener("click", async () => {
        try {
          await navigator.clipboard.writeText(figure.querySelector("code").textContent);
          button.textContent = "Copied";
        } catch {
          getSelection().selectAllChildren(figure.querySelector("code"));
          button.textContent = "Selected";
        }
        setTimeout(() => { button.textContent = "Copy"; }, 2000);
      });
      figure.append(button);
    });
  }

  addEventListener("hashchange", openTarget);
  openTarget();
})();
