// The tools of the first release as search sees them: name, one plain sentence, integration.
type ToolRow = { name: string; description: string; integration: string };

const GITHUB = `
whoami: Get the authenticated GitHub user.
list_repositories: List repositories of the authenticated user.
list_org_repositories: List repositories of an organization.
search_repositories: Search repositories with GitHub search syntax.
get_repository: Get a repository.
create_repository: Create a repository for the user or an organization.
fork_repository: Fork a repository.
list_branches: List branches of a repository.
create_branch: Create a branch from a ref or the default branch.
delete_branch: Delete a branch.
list_commits: List commits of a repository, optionally by path, author or date.
get_commit: Get a commit with its changed files.
compare_commits: Compare two commits, branches or tags.
get_file_contents: Read a file or list a directory at a ref.
get_repository_tree: Get the file tree of a repository.
create_or_update_file: Create or update one file with a commit.
delete_file: Delete a file with a commit.
push_files: Commit several files at once to a branch.
list_tags: List tags of a repository.
list_releases: List releases of a repository.
get_latest_release: Get the latest published release.
create_release: Publish a release for a tag.
search_code: Search code across repositories.
list_issues: List issues of a repository.
get_issue: Get an issue.
create_issue: Create an issue in a repository.
update_issue: Change title, body, state, labels or assignees of an issue.
list_issue_comments: List comments on an issue or pull request.
add_issue_comment: Comment on an issue or pull request.
add_issue_labels: Add labels to an issue or pull request.
list_labels: List labels of a repository.
search_issues: Search issues and pull requests across repositories.
list_pull_requests: List pull requests of a repository.
get_pull_request: Get a pull request.
get_pull_request_diff: Get the unified diff of a pull request.
create_pull_request: Create a pull request, or update the open one for the same branch, and request reviewers.
update_pull_request: Change title, body, base or state of a pull request.
merge_pull_request: Merge a pull request by merge, squash or rebase.
update_pull_request_branch: Bring a pull request branch up to date with its base.
list_pull_request_files: List files changed by a pull request.
list_pull_request_commits: List commits of a pull request.
list_pull_request_reviews: List reviews of a pull request.
create_pull_request_review: Approve, request changes on, or comment on a pull request.
list_review_comments: List line comments on a pull request.
reply_to_review_comment: Reply to a line comment on a pull request.
request_reviewers: Ask users or teams to review a pull request.
get_commit_checks: List check runs of a commit.
list_workflows: List GitHub Actions workflows.
trigger_workflow: Start a workflow that has a workflow_dispatch trigger, with inputs.
list_workflow_runs: List workflow runs, by branch, event or status.
get_workflow_run: Get a workflow run with status and conclusion.
rerun_workflow_run: Run a workflow run again, all of it or the failed jobs only.
cancel_workflow_run: Cancel a workflow run in progress.
list_workflow_run_jobs: List jobs of a workflow run.
get_job_logs: Get the tail of the log of a workflow job.
list_run_artifacts: List artifacts of a workflow run.
list_notifications: List notifications of the authenticated user.
mark_notification_read: Mark a notification thread as read.
create_gist: Create a gist.`;

const GITLAB = `
whoami: Get the authenticated GitLab user.
list_projects: List projects visible to the user.
get_project: Get a project.
list_group_projects: List projects of a group.
create_project: Create a project.
fork_project: Fork a project into a namespace.
list_branches: List branches of a project.
create_branch: Create a branch from a ref.
delete_branch: Delete a branch.
list_commits: List commits of a project.
get_commit: Get a commit.
get_commit_diff: Get the diff of a commit.
compare_refs: Compare two branches, tags or commits.
create_commit: Commit several file actions at once.
list_repository_tree: List files and directories of a repository.
get_file: Read a file at a ref.
create_file: Create a file with a commit.
update_file: Update a file with a commit.
list_merge_requests: List merge requests of a project.
list_my_merge_requests: List merge requests assigned to or created by the user.
get_merge_request: Get a merge request.
create_merge_request: Create a merge request, or update the open one for the same source branch.
update_merge_request: Change a merge request, close it or reopen it.
merge_merge_request: Merge a merge request.
approve_merge_request: Approve a merge request.
list_merge_request_diffs: List file diffs of a merge request.
list_merge_request_discussions: List discussion threads on a merge request.
create_merge_request_discussion: Start a discussion on a merge request, optionally on a line of the diff.
add_merge_request_note: Comment on a merge request.
list_issues: List issues of a project.
get_issue: Get an issue.
create_issue: Create an issue.
update_issue: Change an issue, close it or reopen it.
add_issue_note: Comment on an issue.
trigger_pipeline: Run a pipeline on a branch or tag with variables.
list_pipelines: List pipelines of a project.
get_pipeline: Get a pipeline with its status.
retry_pipeline: Retry the failed jobs of a pipeline.
cancel_pipeline: Cancel a running pipeline.
list_pipeline_jobs: List jobs of a pipeline.
get_job_log: Get the tail of the log of a job.
play_job: Start a manual job.
retry_job: Retry a job.
search: Search projects, issues, merge requests, code or users.
list_releases: List releases of a project.
list_todos: List to-do items of the user.
lint_ci: Check a .gitlab-ci.yml for errors.`;

const BITBUCKET = `
whoami: Get the authenticated Bitbucket user.
list_workspaces: List workspaces of the user.
list_repositories: List repositories of a workspace.
get_repository: Get a repository.
create_repository: Create a repository in a workspace.
list_branches: List branches of a repository.
create_branch: Create a branch from a commit or branch.
delete_branch: Delete a branch.
list_commits: List commits of a repository.
get_commit: Get a commit.
get_diff: Get the diff of a commit or a commit range.
get_file: Read a file or directory at a commit.
commit_files: Commit one or more files to a branch.
search_code: Search code in a workspace.
list_pull_requests: List pull requests of a repository.
get_pull_request: Get a pull request.
create_pull_request: Create a pull request, or update the open one for the same source branch.
update_pull_request: Change title, description, reviewers or destination of a pull request.
merge_pull_request: Merge a pull request with a merge strategy.
decline_pull_request: Decline a pull request.
approve_pull_request: Approve a pull request.
unapprove_pull_request: Withdraw the approval of a pull request.
request_changes: Request changes on a pull request.
get_pull_request_diff: Get the diff of a pull request.
get_pull_request_diffstat: Get changed files and line counts of a pull request.
list_pull_request_comments: List comments on a pull request.
add_pull_request_comment: Comment on a pull request, on a line, or in reply.
resolve_comment: Resolve a comment thread on a pull request.
list_pull_request_commits: List commits of a pull request.
list_pull_request_activity: List the activity log of a pull request.
list_pull_request_statuses: List build statuses of a pull request.
list_default_reviewers: List default reviewers of a repository.
list_workspace_members: List members of a workspace.
trigger_pipeline: Start a pipeline on a branch, optionally a custom one, with variables.
list_pipelines: List pipelines of a repository.
get_pipeline: Get state and result of a pipeline.
stop_pipeline: Stop a running pipeline.
list_pipeline_steps: List steps of a pipeline.
get_pipeline_step_log: Get the tail of the log of a pipeline step.
list_issues: List issues of a repository.
create_issue: Create an issue.`;

const JIRA = `
whoami: Get the current Jira user.
search_issues: Search issues with JQL.
get_issue: Get an issue by key or id.
create_issue: Create an issue in a project.
update_issue: Update fields of an issue.
delete_issue: Delete an issue.
list_transitions: List workflow transitions available to an issue.
transition_issue: Move an issue to another status.
assign_issue: Assign an issue to a user, or unassign it.
list_comments: List comments on an issue.
add_comment: Comment on an issue.
list_worklogs: List time logged on an issue.
add_worklog: Log time spent on an issue.
link_issues: Link two issues.
list_projects: List projects.
get_project: Get a project.
list_issue_types: List issue types.
get_create_meta: Get the fields needed to create an issue.
search_users: Find users by name or e-mail address.
list_fields: List system and custom fields.
list_versions: List versions of a project.`;

const CONFLUENCE = `
search: Search pages and other content with CQL.
list_spaces: List spaces.
get_space: Get a space.
list_pages: List pages, by space or title.
get_page: Get a page as markdown.
create_page: Create a page in a space.
update_page: Update title and body of a page.
delete_page: Delete a page.
list_page_children: List child pages of a page.
list_page_comments: List footer comments of a page.
add_page_comment: Add a footer comment to a page.
list_attachments: List attachments of a page.
list_labels: List labels of a page.`;

const LINEAR = `
whoami: Get the current Linear user and organization.
list_teams: List teams.
get_team: Get a team with its states and labels.
list_users: List users of the workspace.
list_issues: List issues with a filter.
search_issues: Search issues by text.
get_issue: Get an issue.
create_issue: Create an issue in a team.
update_issue: Update an issue: title, state, assignee, priority.
archive_issue: Archive an issue.
add_comment: Comment on an issue.
update_comment: Edit a comment.
list_workflow_states: List workflow states of a team.
list_labels: List issue labels.
create_label: Create an issue label.
list_projects: List projects.
get_project: Get a project with its milestones.
create_project: Create a project.
update_project: Update a project.
list_cycles: List cycles of a team.
create_attachment: Attach a link to an issue.
create_issue_relation: Relate two issues: blocks, duplicates, related.`;

const SLACK = `
whoami: Get the authenticated Slack user and team.
list_channels: List channels of the workspace.
get_channel: Get information about a channel.
create_channel: Create a public or private channel.
invite_to_channel: Invite users to a channel.
get_channel_history: Get recent messages of a channel.
get_thread_replies: Get the replies in a thread.
list_channel_members: List members of a channel.
open_dm: Open a direct message with one or more users.
mark_channel_read: Mark a channel as read up to a message.
post_message: Post a message to a channel, thread or direct message.
update_message: Edit a message.
delete_message: Delete a message.
schedule_message: Schedule a message for later.
get_permalink: Get the permanent link of a message.
search_messages: Search messages.
add_reaction: Add an emoji reaction to a message.
remove_reaction: Remove an emoji reaction from a message.
list_users: List users of the workspace.
get_user: Get a user.
lookup_user_by_email: Find a user by e-mail address.
list_files: List files shared in the workspace.
set_status: Set the user's status text and emoji.
pin_message: Pin a message in a channel.`;

const NOTION = `
whoami: Get the bot user of the Notion connection.
search: Search pages and data sources by title.
get_page: Get the properties of a page.
create_page: Create a page under a page or in a data source.
update_page: Update properties of a page, or archive it.
get_page_property: Get one property of a page.
get_block_children: Get the blocks inside a page or block.
append_block_children: Append blocks to a page or block.
get_block: Get a block.
update_block: Update a block.
delete_block: Delete a block.
get_database: Get a database and its data sources.
get_data_source: Get the schema of a data source.
query_data_source: Query rows of a data source with filters and sorts.
create_data_source: Add a data source to a database.
list_users: List users of the workspace.
list_comments: List comments on a page or block.
create_comment: Comment on a page or in a discussion.`;

const GMAIL = `
whoami: Get the address and counts of the mailbox.
list_messages: List messages that match a Gmail search.
get_message: Get a message with headers and text.
send_message: Send an e-mail.
modify_message_labels: Add or remove labels of a message: archive, star, mark as read.
trash_message: Move a message to the trash.
get_attachment: Get an attachment of a message.
list_threads: List threads that match a Gmail search.
get_thread: Get a thread with its messages.
list_labels: List labels.
create_label: Create a label.
list_drafts: List drafts.
create_draft: Create a draft.
send_draft: Send a draft.`;

const GCALENDAR = `
list_calendars: List calendars of the user.
list_events: List events of a calendar in a time range.
get_event: Get an event.
create_event: Create an event with attendees, recurrence or a video call.
update_event: Change an event.
delete_event: Delete an event.
quick_add_event: Create an event from a sentence.
move_event: Move an event to another calendar.
list_event_instances: List instances of a recurring event.
query_free_busy: Get busy times of calendars.`;

const GDRIVE = `
whoami: Get the Google Drive user and storage quota.
list_files: List or search files and folders.
get_file: Get metadata of a file.
read_file: Read the content of a file or Google document.
export_file: Export a Google document to another format.
create_folder: Create a folder.
copy_file: Copy a file.
update_file: Rename, move or trash a file.
delete_file: Delete a file for good.
list_permissions: List who has access to a file.
share_file: Give a person or group access to a file.
list_comments: List comments on a file.
create_comment: Comment on a file.
list_drives: List shared drives.`;

const SENTRY = `
list_organizations: List organizations.
list_projects: List projects of an organization.
list_teams: List teams of an organization.
get_project: Get a project.
search_issues: Search issues of an organization.
get_issue: Get an issue.
update_issue: Resolve, ignore or assign an issue.
list_issue_events: List events of an issue.
get_issue_event: Get an event of an issue with stack trace, by default the latest.
list_issue_tag_values: List the values of a tag of an issue.
query_events: Query errors, spans or logs with fields and aggregates.
get_event: Get an event of a project.
list_releases: List releases of an organization.
create_release: Create a release.
list_deploys: List deploys of a release.
create_deploy: Record a deploy of a release to an environment.
list_replays: List session replays.`;

const DATADOG = `
validate_key: Check that the API key is valid.
list_monitors: List monitors.
get_monitor: Get a monitor and its state.
create_monitor: Create a monitor.
update_monitor: Update a monitor.
mute_scope: Mute monitors for a scope by scheduling a downtime.
search_monitors: Search monitors.
query_metrics: Query time series of metrics.
list_active_metrics: List metrics that reported lately.
get_metric_metadata: Get type, unit and description of a metric.
submit_events: Post an event to the event stream.
list_events: List events of a time range.
list_dashboards: List dashboards.
get_dashboard: Get a dashboard.
list_hosts: List hosts.
list_slos: List service level objectives.
get_slo_history: Get the history of a service level objective.
list_synthetics: List synthetic tests.`;

const POSTHOG = `
list_projects: List projects.
query: Run a HogQL (SQL) or other analytics query.
list_insights: List saved insights.
get_insight: Get an insight with its results.
create_insight: Create an insight.
list_dashboards: List dashboards.
get_dashboard: Get a dashboard.
list_feature_flags: List feature flags.
get_feature_flag: Get a feature flag.
create_feature_flag: Create a feature flag.
update_feature_flag: Update a feature flag, turn it on or off.
list_experiments: List experiments.
list_event_definitions: List event definitions.
list_persons: List persons.
create_annotation: Create an annotation on charts.`;

const PAGERDUTY = `
whoami: Get the user of the API token.
list_incidents: List incidents by status, urgency, service or team.
get_incident: Get an incident.
create_incident: Create an incident on a service.
update_incident: Acknowledge, resolve or rename an incident.
snooze_incident: Snooze an incident.
list_incident_notes: List notes of an incident.
add_incident_note: Add a note to an incident.
list_incident_alerts: List alerts of an incident.
list_services: List services.
get_service: Get a service.
list_oncalls: List on-call entries: who is on call, by schedule or user.
list_schedules: List on-call schedules.
list_escalation_policies: List escalation policies.
list_users: List users.
list_log_entries: List the log of an incident.`;

const FIGMA = `
whoami: Get the current Figma user.
get_file: Get the document tree of a file.
get_file_nodes: Get nodes of a file.
render_images: Render nodes of a file as PNG, JPG, SVG or PDF.
list_comments: List comments on a file.
add_comment: Comment on a file or reply to a comment.
list_versions: List the version history of a file.
list_team_projects: List projects of a team.
list_project_files: List files of a project.
get_file_components: List components of a file.`;

const GRAFANA = `
whoami: Get the current Grafana user.
search_dashboards: Search dashboards and folders.
get_dashboard: Get a dashboard.
get_dashboard_queries: List the panel queries of a dashboard.
save_dashboard: Create or update a dashboard.
list_datasources: List data sources.
query_datasource: Query any data source.
query_prometheus: Run a PromQL range query.
query_loki: Run a LogQL range query.
list_alert_rules: List alert rules.
list_alerts: List firing alerts.
create_silence: Silence alerts that match.
create_annotation: Create an annotation.
list_annotations: List annotations.`;

const RESEND = `
send_email: Send an email.
send_batch: Send up to 100 emails at once.
list_emails: List sent emails.
get_email: Get an email with its delivery status.
cancel_email: Cancel a scheduled email.
list_domains: List sending domains.
get_domain: Get a domain with its DNS records.
list_contacts: List contacts.
create_contact: Create a contact.`;

const REDMINE = `
whoami: Get the current Redmine user.
list_projects: List projects.
get_project: Get a project.
list_issues: List issues with filters.
get_issue: Get an issue.
create_issue: Create an issue.
update_issue: Update an issue or add notes to it.
list_time_entries: List time entries.
log_time: Log hours on an issue.
list_statuses: List issue statuses.
list_trackers: List trackers.
search: Search issues, wiki pages and more.
get_wiki_page: Get a wiki page.`;

const JENKINS = `
whoami: Get the signed-in Jenkins user.
list_jobs: List jobs.
get_job: Get a job.
list_builds: List recent builds of a job.
get_build: Get a build with its result.
get_build_log: Get the console log of a build.
get_test_report: Get the test report of a build.
list_artifacts: List artifacts of a build.
trigger_build: Start a build with parameters.
stop_build: Stop a running build.
get_queue_item: Get a queued build.
list_nodes: List build agents.`;

const MEDIAWIKI = `
whoami: Get the signed-in wiki user.
search: Search wiki pages.
get_page: Get the wikitext of a page.
get_page_html: Get a page as HTML.
edit_page: Create or replace a page or section.
append_page: Append text to a page.
list_history: List revisions of a page.
list_recent_changes: List recent changes of the wiki.
list_categories: List categories.
upload_file: Upload a file.`;

const DISCOURSE = `
search: Search topics and posts.
list_latest_topics: List the latest topics.
list_top_topics: List top topics of a period.
get_topic: Get a topic with its first posts.
list_topic_posts: Get posts of a topic.
get_post: Get a post.
create_post: Create a topic or reply to one.
update_post: Edit a post.
list_categories: List categories.
list_category_topics: List topics of a category.
get_user: Get a user's profile.`;

const WIKIPEDIA = `
search: Search Wikipedia articles.
get_page: Get the text of a Wikipedia article.`;

const HACKERNEWS = `
top_stories: List the top stories of Hacker News.
search: Search Hacker News stories and comments.
get_item: Get a story or comment.`;

const OSV = `
query_package: List known vulnerabilities of a package version.
get_vulnerability: Get a vulnerability.`;

const TIME = `
now: Get the current time in a time zone.
convert: Convert a time between time zones.`;

const UNPREFIXED = [
  ['jots', 'deploy_jot', 'Publish a small web site or page from files and get its URL.'],
  ['jots', 'update_jot', 'Change files, access or password of a published jot.'],
  ['jots', 'list_jots', 'List the jots of the user.'],
  ['jots', 'get_jot', 'Get a jot with its file list, or one of its text files.'],
  ['jots', 'delete_jot', 'Delete a jot.'],
  ['web', 'web_fetch', 'Fetch a public web page as markdown.'],
] as const;

const REMOTE = {
  github: GITHUB,
  gitlab: GITLAB,
  bitbucket: BITBUCKET,
  jira: JIRA,
  confluence: CONFLUENCE,
  linear: LINEAR,
  slack: SLACK,
  notion: NOTION,
  gmail: GMAIL,
  gcalendar: GCALENDAR,
  gdrive: GDRIVE,
  sentry: SENTRY,
  datadog: DATADOG,
  posthog: POSTHOG,
  pagerduty: PAGERDUTY,
  grafana: GRAFANA,
  redmine: REDMINE,
  resend: RESEND,
  figma: FIGMA,
};

// Cookie and built-in integrations have no `_request` tool.
const OTHERS = {
  jenkins: JENKINS,
  mediawiki: MEDIAWIKI,
  discourse: DISCOURSE,
  wikipedia: WIKIPEDIA,
  hackernews: HACKERNEWS,
  osv: OSV,
  time: TIME,
};

export const TOOL_CORPUS: readonly ToolRow[] = [
  ...Object.entries(REMOTE).flatMap(([integration, text]) => [
    ...rows(integration, text),
    request(integration),
  ]),
  ...Object.entries(OTHERS).flatMap(([integration, text]) => rows(integration, text)),
  ...UNPREFIXED.map(([integration, name, description]) => ({ name, description, integration })),
];

function rows(integration: string, text: string): ToolRow[] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const colon = line.indexOf(': ');
      return {
        name: `${integration}_${line.slice(0, colon)}`,
        description: line.slice(colon + 2),
        integration,
      };
    });
}

function request(integration: string): ToolRow {
  return {
    name: `${integration}_request`,
    description: `Call any endpoint of the ${integration} API with method, path, query and body.`,
    integration,
  };
}
