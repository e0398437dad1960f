// Takes pictures of pages that the gateway itself serves. It is absent where no browser can be started.

export interface PageToShow {
  url: string;
  /**
   * Answers every request of the page, or resolves to null where the page may not have what it asks for. Nothing else can be
   * reached from the page.
   */
  answer(url: string): Promise<Response | null>;
}

export interface Camera {
  /**
   * Opens the page in a browser of its own, which has no profile of a person, and resolves to a WebP image. Rejects with
   * BrowserStartFailed where there is no browser.
   */
  photograph(page: PageToShow): Promise<Uint8Array<ArrayBuffer>>;
  /** Ends the browser that is running. */
  close(): Promise<void>;
}
