// Renders the home page of a file for each kind of visitor, by address or as complete documents.
import { digest } from "../lib/digest.js";
import type { JsonObject } from "../lib/json.js";
import type { Homes } from "./client/updates.js";
import { VIEWERS, home, noticeFor, type Viewer, type Visit } from "./home.js";
import { ANSWERS, isAsked, type Answer } from "./notice.js";
import { toFile, type View } from "../lib/html-document.js";
import type { Preview } from "./card.js";

const WHO: Readonly<Record<Viewer, string>> = {
  anonymous: "Not signed in",
  member: "Signed in",
  administrator: "Administrator",
};

/** The address of a home page. A changed notice gets another address, where it is unanswered. */
export function addressOf(at: number, viewer: Viewer, { settings }: Preview): string {
  const notice = noticeFor(viewer, settings) ?? {};
  return `/home/${at}/${viewer}/${digest({ ...notice }).slice(0, 12)}`;
}

export function homeView(preview: Preview, viewer: Viewer, here: string, answer?: Answer): View {
  const door = { text: WHO[viewer] };
  const visit: Visit = { ...preview, viewer, here, door, isFramed: true };
  return home(answer ? { ...visit, answer } : visit);
}

export function homesByAddress(at: number, preview: Preview): Homes {
  const stamp = digest({ name: preview.name, settings: preview.settings as JsonObject });
  return eachViewer((viewer) => ({ address: addressOf(at, viewer, preview), stamp }));
}

/** The script shows the next document after an answer to a notice; links lead to no server. */
export function homesAsFiles(preview: Preview, styles: string[]): Homes {
  const documentFor = (viewer: Viewer, answer?: Answer) => {
    const view = homeView(preview, viewer, "#home", answer);
    styles.push(view.style);
    return toFile(view);
  };
  return eachViewer((viewer) => {
    const asked = { asked: documentFor(viewer) };
    if (!isAsked(noticeFor(viewer, preview.settings))) return asked;
    const answered = ANSWERS.map((answer) => [answer, documentFor(viewer, answer)]);
    return { ...asked, ...Object.fromEntries(answered) } as Homes[Viewer];
  });
}

function eachViewer(make: (viewer: Viewer) => Homes[Viewer]): Homes {
  return Object.fromEntries(VIEWERS.map((viewer) => [viewer, make(viewer)]));
}
