"use strict";
(() => {
  const box = document.getElementById("filter");
  if (!box) { return; }
  const rows = Array.from(document.querySelectorAll("#disagreement-rows tr"));
  const words = rows.map((row) => row.textContent.toLowerCase());
  const shown = document.getElementById("shown");
  const input = box.querySelector("input");
  const apply = () => {
    const wanted = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    rows.forEach((row, index) => {
      row.hidden = !wanted.every((word) => words[index].includes(word));
      count += row.hidden ? 0 : 1;
    });
    shown.textContent = `${count} of ${rows.length} shown`;
  };
  input.addEventListener("input", apply);
  box.hidden = false;
  apply();
})();
