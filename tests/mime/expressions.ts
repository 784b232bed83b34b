/** A regular expression of a source file. */
export interface FoundExpression {
  path: string;
  /** `/pattern/flags`, or the text of a `new RegExp(...)`. */
  text: string;
}

/** Every regular expression of the source files, as the parser of the linter finds them. */
export function expressionsIn(folders: string[], files: string[]): FoundExpression[] {
  const paths = [...folders.flatMap((folder) => [...sourcesIn(folder)]), ...files];
  return paths.sort().flatMap((path) =>
    Deno.lint.runPlugin(finder, path, Deno.readTextFileSync(path))
      .map(({ message }) => ({ path, text: message }))
  );
}

function* sourcesIn(folder: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    if (isDirectory) yield* sourcesIn(`${folder}/${name}`);
    else if (name.endsWith(".ts")) yield `${folder}/${name}`;
  }
}

const finder: Deno.lint.Plugin = {
  name: "expressions",
  rules: {
    find: {
      create: (context) => ({
        Literal(node) {
          if (!("regex" in node) || !node.regex) return;
          const { pattern, flags } = node.regex;
          context.report({ node, message: `/${pattern}/${flags}` });
        },
        NewExpression(node) {
          const text = context.sourceCode.getText(node);
          if (/^new RegExp\b/.test(text)) context.report({ node, message: text });
        },
      }),
    },
  },
};
