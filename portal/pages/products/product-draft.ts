// Turns a product into what its form shows, and the form back into what the gateway takes.
import type { Product, ProductForm } from '../../api/products.ts';
import type { Access } from '../../api/tools.ts';
import { productsTexts } from '../../texts/products.ts';

const words = productsTexts.form;
const MAX_COUNT = 1_000_000;

export interface ProductDraft {
  name: string;
  /** One address a line. */
  returnTo: string;
  /** `destroy` is no limit. */
  access: Access;
  isAll: boolean;
  integrations: readonly string[];
  rate: string;
  maxActors: string;
  /** A `data:` address. */
  mark: string | null;
  isColoured: boolean;
  light: string;
  dark: string;
  notifyTo: string;
}

export type ProductProblems = Partial<Record<keyof ProductDraft, string>>;

export const NEW_PRODUCT: ProductDraft = {
  name: '',
  returnTo: '',
  access: 'write',
  isAll: true,
  integrations: [],
  rate: '',
  maxActors: '',
  mark: null,
  isColoured: false,
  light: '#0a6b4b',
  dark: '#5fd0a5',
  notifyTo: '',
};

export function draftOf(product: Product): ProductDraft {
  const { access = 'destroy', colours, integrations, mark = null, perMinute, returnTo } = product;
  const { light, dark } = NEW_PRODUCT;
  return {
    ...NEW_PRODUCT,
    name: product.name,
    returnTo: returnTo.join('\n'),
    access,
    isAll: integrations === undefined,
    integrations: integrations ?? [],
    rate: perMinute === undefined ? '' : String(perMinute),
    maxActors: String(product.maxActors),
    mark,
    isColoured: colours !== undefined,
    light: colours?.light ?? light,
    dark: colours?.dark ?? colours?.light ?? dark,
  };
}

export function isAddress(text: string): boolean {
  return /^https?:\/\/./.test(text.trim());
}

const isCount = (text: string): boolean =>
  text.trim() === '' || (/^\d+$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= MAX_COUNT);

export function findProblems(draft: ProductDraft): ProductProblems {
  const { integrations, isAll, maxActors, name, notifyTo, rate } = draft;
  const addresses = linesOf(draft.returnTo);
  return {
    ...(name.trim() === '' ? { name: words.nameMissing } : {}),
    ...(addresses.length === 0 || !addresses.every(isAddress) ? { returnTo: words.returnToMissing } : {}),
    ...(isAll || integrations.length > 0 ? {} : { integrations: words.noneChosen }),
    ...(isCount(rate) ? {} : { rate: words.countWrong }),
    ...(isCount(maxActors) ? {} : { maxActors: words.countWrong }),
    ...(notifyTo.trim() === '' || isAddress(notifyTo) ? {} : { notifyTo: words.urlWrong }),
  };
}

export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Reads a draft without problems. Rules are kept as they are stored. */
export function limitsOf({ access, integrations, isAll, rate }: ProductDraft, rules: Product['rules']) {
  return {
    ...(access === 'destroy' ? {} : { access }),
    ...(isAll ? {} : { integrations: [...integrations] }),
    ...(rate.trim() === '' ? {} : { perMinute: Number(rate) }),
    ...(rules === undefined ? {} : { rules: [...rules] }),
  };
}

/** Reads what is no limit. */
export function factsOf({ dark, isColoured, light, mark, maxActors, name, returnTo }: ProductDraft) {
  return {
    name: name.trim(),
    returnTo: linesOf(returnTo),
    mark,
    colours: isColoured ? { light, dark } : null,
    ...(maxActors.trim() === '' ? {} : { maxActors: Number(maxActors) }),
  };
}

export function formOf(draft: ProductDraft): ProductForm {
  const { colours, mark, ...facts } = factsOf(draft);
  const notifyTo = draft.notifyTo.trim();
  return {
    ...facts,
    ...limitsOf(draft, undefined),
    ...(mark === null ? {} : { mark }),
    ...(colours === null ? {} : { colours }),
    ...(notifyTo === '' ? {} : { notifyTo }),
  };
}
