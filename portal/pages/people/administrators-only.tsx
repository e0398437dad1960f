// Tells a member who has opened a page of administrators whom to ask.
import type { ApiError } from '../../api/client.ts';
import { Empty } from '../../parts/empty.tsx';
import { Link } from '../../router/link.tsx';
import { Page } from '../../shell/page.tsx';
import { peopleTexts } from '../../texts/people.ts';
import { texts } from '../../texts/texts.ts';

export function isForbidden(error: ApiError | undefined): boolean {
  return error?.status === 403;
}

export function AdministratorsOnly({ title }: { title: string }) {
  return (
    <Page title={title}>
      <Empty icon="lock" title={peopleTexts.membersTitle} lead={peopleTexts.membersLead}>
        <Link href="/" class="button">
          {texts.notFound.home}
        </Link>
      </Empty>
    </Page>
  );
}
