import { html } from "hono/html";
import { type Html, prose } from "./prose.ts";

/** The languages of the guide: the word after ``` in its file, and the name that people read. */
const languages = { sh: "curl", ts: "TypeScript", python: "Python" } as const;
type Language = keyof typeof languages;

export interface Guide {
  text: string;
  steps: { title: string; text: string; programs: Partial<Record<Language, string>> }[];
}

/** routes/reference/guide.md in parts, for a service at `base`. */
export async function readGuide(base: string): Promise<Guide> {
  const file = await Deno.readTextFile(new URL("../guide.md", import.meta.url));
  const [first, ...steps] = file.replaceAll("http://localhost:8000", base).split(/^## /m);
  const programs = /^```(\w+)\n([^]*?)^```$/gm;
  return {
    text: textOf(first.replace(/^# .*$/m, "")),
    steps: steps.map((step) => ({
      title: step.slice(0, step.indexOf("\n")),
      text: textOf(step.slice(step.indexOf("\n")).replace(programs, "")),
      programs: Object.fromEntries(
        [...step.matchAll(programs)].map(([, language, program]) => [language, program]),
      ),
    })),
  };
}

/** Paragraphs without the line ends of the file. */
const textOf = (markdown: string) => markdown.trim().replace(/(?<!\n)\n(?!\n)/g, " ");

/** The steps with their programs; a choice shows one language, without a script. */
export function guideSection({ text, steps }: Guide): Html {
  return html`
    <h2 id="guide">Guide</h2>
    ${prose(text)}
    <fieldset class="languages"><legend>Show</legend>${Object.entries(languages).map((
      [language, name],
      n,
    ) =>
      html`<label><input type="radio" name="language" value="${language}" ${
        n === 0 ? "checked" : ""
      }> ${name}</label>`
    )}</fieldset>
    ${steps.map(({ title, text, programs }) =>
      html`<section id="${stepAnchor(title)}"><h3>${title}</h3>${prose(text)}${
        Object.entries(programs).map(([language, program]) =>
          html`<pre tabindex="0" class="${language}" aria-label="${
            languages[language as Language]
          }">${program}</pre>`
        )
      }</section>`
    )}
  `;
}

export const stepAnchor = (title: string) => `guide-${title.toLowerCase().replaceAll(" ", "-")}`;
