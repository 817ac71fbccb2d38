// Remembers in this browser what was ticked, and hands it out as a file for `burn-triage cases add --ticks`.
"use strict";

const repo = document.body.dataset.repo;
const key = `burn-triage ticks ${repo}`;
const boxes = [...document.querySelectorAll(".tick input")];
const count = document.getElementById("count");

function load() {
  try {
    return JSON.parse(localStorage.getItem(key)) || {};
  } catch {
    return {};
  }
}

let ticks = load();

function show() {
  const given = Object.values(ticks);
  const right = given.filter((word) => word === "right").length;
  count.textContent = `${right} right, ${given.length - right} wrong, of ${boxes.length / 3}`;
}

for (const box of boxes) {
  const number = box.name.replace("tick-", "");
  box.checked = (ticks[number] || "") === box.value;
  box.addEventListener("change", () => {
    if (box.value) ticks[number] = box.value;
    else delete ticks[number];
    try {
      localStorage.setItem(key, JSON.stringify(ticks));
    } catch {
      // Where the browser keeps nothing, the download still works.
    }
    show();
  });
}

document.getElementById("download").addEventListener("click", () => {
  const text = JSON.stringify({ format: "burn-triage ticks 1", repo, ticks }, null, 1) + "\n";
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = "ticks.json";
  link.click();
  URL.revokeObjectURL(link.href);
});

document.querySelector(".without").hidden = true;
for (const hidden of document.querySelectorAll(".tools, .tick")) hidden.hidden = false;
show();
