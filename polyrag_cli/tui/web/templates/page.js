// What a terminal in a page lacks: the keyboard without a click, a clipboard wherever the browser has one, and a word
// when something can't be done.
const TOLD_MS = 8000;
// A question has far fewer characters; beyond some millions the connection would be closed.
const MOST_PASTED = 2000000;

function tell(text) {
  const notice = document.querySelector(".told");
  notice.textContent = text;
  notice.classList.add("-shown");
  clearTimeout(tell.timer);
  tell.timer = setTimeout(() => notice.classList.remove("-shown"), TOLD_MS);
}

// Without https, browsers have no clipboard interface except on the machine itself; the older way still works.
function copyByCommand(text) {
  const put = (event) => {
    event.clipboardData.setData("text/plain", text);
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  document.addEventListener("copy", put, { capture: true });
  const done = document.execCommand("copy");
  document.removeEventListener("copy", put, { capture: true });
  if (!done) throw new Error("refused");
}

const clipboard = navigator.clipboard;
Object.defineProperty(navigator, "clipboard", {
  value: {
    // What is on the clipboard is the browser's own business until it is pasted.
    readText: async () => "",
    writeText: async (text) => {
      try {
        await (clipboard ? clipboard.writeText(text) : Promise.reject(new Error("none")));
      } catch {
        try {
          copyByCommand(text);
        } catch {
          tell("The browser refused to copy. f7 exports the conversation to a file instead.");
        }
      }
    },
  },
});

window.addEventListener("paste", (event) => {
  if ((event.clipboardData?.getData("text/plain").length ?? 0) > MOST_PASTED) {
    event.preventDefault();
    event.stopImmediatePropagation();
    tell("That is too long to paste: at most 2,000,000 characters.");
  }
}, { capture: true });

window.addEventListener("load", () => {
  const observer = new MutationObserver(() => {
    if (document.body.classList.contains("-first-byte")) {
      observer.disconnect();
      document.querySelector(".xterm-helper-textarea")?.focus();
    }
  });
  observer.observe(document.body, { attributes: true });
});
