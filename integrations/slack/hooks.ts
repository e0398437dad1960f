// How Slack sends events. https://docs.slack.dev/authentication/verifying-requests-from-slack
import type { HookRecipe } from '../../src/kit/hooks.ts';

export const hooks: HookRecipe = {
  events: {
    message: 'A message in a channel, group or direct message',
    app_mention: 'Somebody mentioned the app',
    reaction_added: 'Somebody reacted to a message',
    member_joined_channel: 'Somebody joined a channel',
  },
  check: {
    kind: 'hmac',
    header: 'x-slack-signature',
    encoding: 'hex',
    prefix: 'v0=',
    signed: 'v0:{time}:{body}',
    time: { in: { header: 'x-slack-request-timestamp' }, unit: 's' },
  },
  id: [{ at: '/event_id' }],
  type: [{ at: '/event/type' }],
  secret: 'theirs',
  handshake: 'challenge',
  setUp:
    'At api.slack.com/apps open your app, then Event Subscriptions. Enter the address as Request URL and choose the events. The secret is the Signing Secret under Basic Information.',
};
