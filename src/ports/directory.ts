// Declares what is stored of a directory that pushes people and groups. Times are Unix seconds. decision: 071
import type { User } from './records.ts';

/** What a directory says of a person, beside what the gateway knows itself. */
export interface DirectoryPerson {
  user_id: string;
  /** In lower case: two names that differ in case only are one. */
  user_name: string;
  external_id: string | null;
  /** What the directory sent and the gateway only gives back, as JSON. */
  profile: string;
  /** Since when the directory keeps the person out. Null while it lets them in. */
  inactive_since: number | null;
  created_at: number;
  updated_at: number;
  /** Since when the directory does not know the person any more. */
  removed_at: number | null;
}

/** A person as a directory sees them. `told` is null for somebody whom no directory has pushed. */
export interface DirectoryUser {
  user: Pick<User, 'id' | 'email' | 'created_at' | 'disabled_at'>;
  told: DirectoryPerson | null;
  /** The groups that the directory has put the person into. */
  groups: readonly Pick<DirectoryGroup, 'id' | 'name'>[];
}

export interface DirectoryGroup {
  id: string;
  name: string;
  external_id: string | null;
  created_at: number;
  updated_at: number;
}

export interface DirectoryMember {
  group_id: string;
  user_id: string;
}

export type PeopleFilter = { userName: string } | { externalId: string } | { id: string };
export type GroupsFilter = { name: string } | { externalId: string } | { id: string };
export interface DirectoryPage {
  offset: number;
  limit: number;
}

/** People that nobody has verified, that are being deleted, and that the directory has removed are never listed. */
export interface Directory {
  people(filter: PeopleFilter | null, page: DirectoryPage): Promise<{ total: number; rows: DirectoryUser[] }>;
  /** What the directory says of a person, also of one whom it has removed. */
  told(userId: string): Promise<DirectoryPerson | null>;
  /** Stores what the directory says of a person. Returns false when somebody else has the user name, or the person is gone. */
  putPerson(person: DirectoryPerson): Promise<boolean>;
  /** Ordered by id. */
  groups(
    filter: GroupsFilter | null,
    page: DirectoryPage,
  ): Promise<{ total: number; rows: DirectoryGroup[] }>;
  /** The members of these groups. */
  members(groupIds: readonly string[]): Promise<DirectoryMember[]>;
  /** Stores a group, new or changed. Returns false when another group has the name. */
  putGroup(group: DirectoryGroup): Promise<boolean>;
  /** Its members are no members either by what a sign-in has said before. */
  deleteGroup(group: DirectoryGroup): Promise<void>;
  /**
   * Takes people out of a group and puts others into it. Who is taken out is no member either by what a sign-in has said
   * before. Ids that are of nobody are left out.
   */
  changeMembers(
    group: DirectoryGroup,
    change: { added: readonly string[]; removed: readonly string[] },
  ): Promise<void>;
}
