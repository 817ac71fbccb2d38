// Search as you type, and dates in the reader's own way. Everything works without this file.
"use strict";

(() => {
  const form = document.getElementById("search");
  if (form) {
    const box = form.querySelector("input[type=search]");
    let timer = 0;
    let asked = 0;

    const address = () => {
      const filled = [...new FormData(form)].filter(([, value]) => value !== "");
      const query = new URLSearchParams(filled).toString();
      return form.getAttribute("action") + (query ? "?" + query : "");
    };

    const refresh = async () => {
      const mine = ++asked;
      const results = document.getElementById("results");
      results.setAttribute("aria-busy", "true");
      try {
        const answer = await fetch(address());
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        const fresh = page.getElementById("results");
        if (mine === asked && answer.ok && fresh) {
          results.replaceChildren(...fresh.childNodes);
          history.replaceState(null, "", address());
        } else if (mine === asked && !answer.ok) {
          results.querySelector("[role=status] h2").textContent = page.querySelector("main p").textContent;
        }
      } catch {
        // Offline: what is shown stays, and Enter still asks the server.
      } finally {
        if (mine === asked) {
          results.removeAttribute("aria-busy");
        }
      }
    };

    // A site of files has all results on its one page: show those that have every word.
    const sift = () => {
      const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const result of document.querySelectorAll("#results .result")) {
        const text = result.textContent.toLowerCase();
        result.hidden = !words.every((word) => text.includes(word));
        shown += result.hidden ? 0 : 1;
      }
      document.querySelector("#results [role=status] h2").textContent =
        shown === 1 ? "1 explained error." : `${shown} explained errors.`;
    };

    if (form.dataset.files !== undefined) {
      box.value = new URLSearchParams(location.search).get("q") ?? "";
      box.addEventListener("input", sift);
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        sift();
      });
      sift();
    } else {
      box.addEventListener("input", () => {
        clearTimeout(timer);
        timer = setTimeout(refresh, 180);
      });
      form.addEventListener("change", (event) => {
        clearTimeout(timer);
        if (event.target.name === "repo") {
          // Another repository has other releases to choose from.
          form.elements.version.value = "";
          form.requestSubmit();
        } else if (event.target !== box) {
          refresh();
        }
      });
    }
  }

  const format = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" });
  for (const time of document.querySelectorAll("time[datetime]")) {
    const value = time.getAttribute("datetime");
    // A day without an hour is that day everywhere; a moment is shown in the reader's zone.
    const moment = new Date(value);
    if (!Number.isNaN(moment.getTime())) {
      time.textContent = value.length === 10 ? format.format(moment) : moment.toLocaleString();
    }
  }
})();
