// The terminal gets the keyboard as soon as it is there, without a click.
window.addEventListener("load", () => {
  const observer = new MutationObserver(() => {
    if (document.body.classList.contains("-first-byte")) {
      observer.disconnect();
      document.querySelector(".xterm-helper-textarea")?.focus();
    }
  });
  observer.observe(document.body, { attributes: true });
});
