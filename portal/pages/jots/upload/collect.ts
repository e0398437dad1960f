// Reads what a person has dropped or chosen: a folder, a zip file or a single page.
import { texts } from '../../../texts/texts.ts';
import { type Site, type SiteFile, SiteProblem, toSite } from './site.ts';
import { unzip } from './unzip.ts';

const { errors } = texts.jots.publish;
/** No gateway takes more files by far. Stops at a disk that was dropped by mistake. */
const MAX_FILES = 200_000;

/** Takes the items of a drop. It must be called while the event is handled: afterwards the items are gone. */
export function collectDropped(transfer: DataTransfer): () => Promise<Site> {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const files = [...transfer.files];
  return async () => {
    const [entry, ...others] = entries;
    if (entry === undefined) return collectChosen(files);
    if (others.length > 0) throw new SiteProblem(errors.oneThing);
    if (isFolder(entry)) return toSite(entry.name, await readFolder(entry));
    return collectChosen(files);
  };
}

/** Takes the files of an input: those of a folder, or a single one. */
export async function collectChosen(files: readonly File[]): Promise<Site> {
  const [first] = files;
  if (first === undefined) throw new SiteProblem(errors.empty);
  if (first.webkitRelativePath !== '') {
    const [folder = ''] = first.webkitRelativePath.split('/');
    return toSite(
      folder,
      files.map((file) => ({ path: file.webkitRelativePath, content: file })),
    );
  }
  if (files.length > 1) throw new SiteProblem(errors.oneThing);
  if (/\.html?$/i.test(first.name)) return toSite(first.name, [{ path: first.name, content: first }]);
  return toSite(first.name, await unzip(first));
}

async function readFolder(folder: FileSystemDirectoryEntry): Promise<SiteFile[]> {
  const files: SiteFile[] = [];
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const entry of await listFolder(next)) {
      if (isFolder(entry)) waiting.push(entry);
      else if (isFile(entry))
        files.push({ path: entry.fullPath.replace(/^\//, ''), content: await readFile(entry) });
      if (files.length > MAX_FILES) throw new SiteProblem(errors.tooMany(files.length, MAX_FILES));
    }
  }
  return files;
}

/** A reader gives a folder in portions, and an empty one at the end. */
async function listFolder(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const portion = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, () => reject(new SiteProblem(errors.unreadable)));
    });
    if (portion.length === 0) return all;
    all.push(...portion);
  }
}

const readFile = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => {
    entry.file(resolve, () => reject(new SiteProblem(errors.unreadable)));
  });

// The flags tell which of the two kinds an entry is.
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
