// Shows that no page has this address.
import { Link } from '../router/link.tsx';
import { Page } from '../shell/page.tsx';
import { texts } from '../texts/texts.ts';

export function NotFoundPage() {
  return (
    <Page title={texts.notFound.title} lead={texts.notFound.lead}>
      <p>
        <Link href="/" class="button">
          {texts.notFound.home}
        </Link>
      </p>
    </Page>
  );
}
