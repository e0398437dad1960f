// Lists what tools of usual names are for, by their names without their integration, as data.

/** Names of imported tools come from outside and may be those of an object's properties, so a map has the list. */
export const USUAL_PURPOSES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    whoami: 'account profile me myself user logged',
    request: 'api endpoint raw http call custom',
    add_comment: 'write reply: comment',
    add_issue_comment: 'write reply: comment',
    add_issue_note: 'write reply: comment',
    add_page_comment: 'write reply: comment',
    create_comment: 'write reply: comment',
    add_merge_request_note: 'write reply: comment feedback',
    add_pull_request_comment: 'write reply: comment feedback',
    create_issue: 'write report: task story',
    unapprove_pull_request: 'withdraw: approval',
    list_pull_requests: 'waiting',
    get_user: 'profile account',
    get_issue: 'status state detail',
    get_pull_request: 'status state detail',
    list_users: 'members people workspace',
  }),
);
