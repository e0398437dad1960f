// The guide of each integration, from its guide.md. `npm run catalog` writes this file.
export const guides: Readonly<Record<string, string>> = {
  github: `# GitHub

A stub with \`github_get_file\` and \${x}.
`,
};
