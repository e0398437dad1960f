// Defines the types of the browser's events, as far as the viewer uses them.
// https://chromedevtools.github.io/devtools-protocol/
export interface TargetInfo {
  targetId: string;
  type: string;
  title: string;
  url: string;
  openerId?: string;
}

export interface FrameMetadata {
  offsetTop: number;
  pageScaleFactor: number;
  deviceWidth: number;
  deviceHeight: number;
  timestamp?: number;
}

export interface Frame {
  data: string;
  metadata: FrameMetadata;
  sessionId: number;
}

export interface JsDialog {
  type: 'alert' | 'confirm' | 'prompt' | 'beforeunload';
  message: string;
  defaultPrompt?: string;
  url: string;
}

interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The focused text field of the page. */
export interface Field {
  rect: Rect;
  type: string;
  autocomplete: string;
  inputMode: string;
  label: string;
}

export interface SelectOption {
  label: string;
  group: string;
  selected: boolean;
  disabled: boolean;
}

/** A native select list, which a screencast never shows. */
export interface SelectList {
  id: number;
  label: string;
  /** Null when the page does not draw the list. */
  rect: Rect | null;
  options: readonly SelectOption[];
}

/** An event in the page of this session. */
type InPage<Report> = Report & { sessionId: string };

/** The LiveView events come from the gateway. docs/live-view.md */
export interface BrowserEvents {
  'Target.attachedToTarget': { sessionId: string; targetInfo: TargetInfo };
  'Target.targetInfoChanged': { targetInfo: TargetInfo };
  'Target.detachedFromTarget': { sessionId: string };
  'Page.screencastFrame': Frame;
  'Page.frameNavigated': { frame: { url: string; parentId?: string } };
  'Page.navigatedWithinDocument': { frameId: string; url: string };
  'Page.frameStartedLoading': object;
  'Page.frameStoppedLoading': object;
  'Page.javascriptDialogOpening': JsDialog;
  'Page.javascriptDialogClosed': object;
  'LiveView.active': InPage<object>;
  'LiveView.focus': InPage<{ field: Field | null }>;
  'LiveView.cursor': InPage<{ cursor: string }>;
  'LiveView.copied': InPage<{ text: string }>;
  'LiveView.select': InPage<SelectList>;
  'LiveView.selectClosed': InPage<Pick<SelectList, 'id'>>;
  'LiveView.crashed': InPage<object>;
  'LiveView.upload': InPage<object>;
  'LiveView.download': { name: string };
}
