// Copies commands to the clipboard.
import { find } from "../../../lib/client/find.js";

/** How long a button shows that it copied. */
const COPIED_MS = 2_000;

export function enableCopying(): void {
  // Browsers allow copying only over https and on loopback; elsewhere the style sheet hides the buttons.
  document.documentElement.classList.toggle("can-copy", isSecureContext);
  document.addEventListener("click", ({ target }) => {
    const button = (target as Element).closest<HTMLButtonElement>(".copy-button");
    const command = button?.parentElement?.querySelector("code")?.textContent;
    if (button && command) void copy(button, command);
  });
}

async function copy(button: HTMLButtonElement, command: string): Promise<void> {
  const isCopied = await navigator.clipboard.writeText(command).then(
    () => true,
    () => false,
  );
  const word = isCopied ? "Copied" : "Copy failed";
  button.textContent = word;
  find("announcement", HTMLElement).textContent = `${word}: ${command}`;
  setTimeout(() => (button.textContent = "Copy"), COPIED_MS);
}
