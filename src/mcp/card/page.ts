// The card with which the gateway shows a person what an agent asks of them, in a host that shows MCP Apps. It needs no
// network: it learns everything from the results of calls and from its host. decision: 057
import { APP_TYPE } from '../../kit/tool-app.ts';
import { CARD_URI } from './names.ts';
import { CARD_SCRIPT } from './script.ts';
import { CARD_STYLE } from './style.ts';

const CARD = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tool gateway</title>
<style>${CARD_STYLE}</style>
</head>
<body>
<main>
<div id="card"><h1 class="quiet">Waiting for the answer…</h1></div>
<p id="heard" class="heard" role="status"></p>
</main>
<script>${CARD_SCRIPT}</script>
</body>
</html>
`;

/** An empty policy lets the page reach nothing. */
const META = { ui: { csp: {}, prefersBorder: true } };

export const CARD_RESOURCE = {
  uri: CARD_URI,
  name: 'card',
  title: 'What waits for you',
  description:
    'Shows a connection or an approval that waits for the person, and follows it. It decides nothing.',
  mimeType: APP_TYPE,
  _meta: META,
};

export const readCard = () => ({
  contents: [{ uri: CARD_URI, mimeType: APP_TYPE, text: CARD, _meta: META }],
});
