// Compares the portal's types with the gateway's. tsc checks them when it compiles this file.
import { expectTypeOf, it } from 'vitest';
import type * as z from 'zod';
import type * as approvals from '../../portal/api/approvals.ts';
import type * as imports from '../../portal/api/import-types.ts';
import type { MadeKey, NamedKey, NewKey } from '../../portal/api/agent-keys.ts';
import type { Call } from '../../portal/api/calls.ts';
import type { DecidedTool } from '../../portal/api/integrations.ts';
import type { ListedClient, RegisteredAgent, RegisteredAgents } from '../../portal/api/gateway.ts';
import type { Myself, PeoplePage, Person, PersonInFull } from '../../portal/api/people.ts';
import type { RulesInForce } from '../../portal/api/policy.ts';
import type * as portal from '../../portal/api/types.ts';
import type { OneCall } from '../../src/audit/details/operations.ts';
import type { CatalogEntry, CatalogTool, DescribedIntegration } from '../../src/catalog/operations.ts';
import type { ConnectionState } from '../../src/connections/operations.ts';
import type { ClientInList } from '../../src/connections/client-operations.ts';
import type { Access, Integration } from '../../src/kit/integration.ts';
import type { UploadAddress } from '../../src/files/api-operations.ts';
import type * as forms from '../../src/imports/forms.ts';
import type * as routes from '../../src/imports/operations.ts';
import type { FileObject } from '../../src/kit/files.ts';
import type { JotUploadAnswer } from '../../src/jots/api-operations.ts';
import type { ShownJot, ShownJotPage } from '../../src/jots/shown.ts';
import type { SettingsChange } from '../../src/jots/publishing/settings.ts';
import type { Agent } from '../../src/oauth/agent-operations.ts';
import type * as people from '../../src/people/operations.ts';
import type * as overview from '../../src/people/overview-operations.ts';
import type * as asked from '../../src/policy/approval-operations.ts';
import type * as keys from '../../src/policy/key-operations.ts';
import type { OwnRulesAnswer, RulesForm } from '../../src/policy/rules-operations.ts';
import type { AuditFailuresPage, AuditPage } from '../../src/audit/row-schemas.ts';
import type { AuditEntry, User } from '../../src/ports/records.ts';

it('has the gateway’s types for jots, files, agents, calls and people', () => {
  expectTypeOf<ShownJot>().toEqualTypeOf<portal.Jot>();
  expectTypeOf<ShownJotPage>().toEqualTypeOf<portal.JotPage>();
  expectTypeOf<JotUploadAnswer>().toEqualTypeOf<portal.JotUpload>();
  expectTypeOf<portal.JotChange>().toExtend<SettingsChange>();
  expectTypeOf<FileObject>().toEqualTypeOf<portal.KeptFile>();
  expectTypeOf<UploadAddress>().toEqualTypeOf<portal.UploadAddress>();
  expectTypeOf<Agent>().toExtend<portal.Agent>();
  expectTypeOf<AuditEntry>().toExtend<Omit<portal.AuditEntry, 'id' | 'owner' | 'account'>>();
  expectTypeOf<AuditPage>().toExtend<portal.AuditPage>();
  expectTypeOf<AuditFailuresPage>().toEqualTypeOf<portal.FailuresPage>();
  expectTypeOf<OneCall>().toExtend<Call>();
  expectTypeOf<User>().toExtend<portal.Me>();
});

it('has the types that the routes of integrations, connections and tools return', () => {
  expectTypeOf<CatalogEntry>().toExtend<portal.Integration>();
  expectTypeOf<ConnectionState>().toEqualTypeOf<portal.Connection>();
  expectTypeOf<CatalogTool>().toExtend<portal.Tool>();
});

it('has the gateway’s words for access, health and sign-in methods', () => {
  expectTypeOf<Access>().toEqualTypeOf<portal.Access>();
  expectTypeOf<NonNullable<ConnectionState['health']>>().toEqualTypeOf<portal.Health>();
  expectTypeOf<Integration['auth']['type']>().toEqualTypeOf<portal.AuthType>();
  expectTypeOf<
    Extract<Integration['auth'], { type: 'apikey' }>['fields'][number]
  >().toExtend<portal.ApiKeyField>();
});

it('has the gateway’s types for rules and named keys', () => {
  expectTypeOf<Required<OwnRulesAnswer>>().toExtend<RulesInForce>();
  expectTypeOf<{ rules: portal.Rule[] }>().toExtend<z.input<typeof RulesForm>>();
  expectTypeOf<DescribedIntegration['tools'][number]>().toExtend<DecidedTool>();
  expectTypeOf<keys.ShownKey>().toExtend<NamedKey>();
  expectTypeOf<keys.NewKey>().toExtend<MadeKey>();
  type Lists = 'integrations' | 'rules';
  expectTypeOf<Omit<NewKey, Lists>>().toExtend<Omit<z.input<typeof keys.KeyForm>, Lists>>();
});

it('has the gateway’s types for imports', () => {
  expectTypeOf<routes.Preview>().toEqualTypeOf<imports.Preview>();
  expectTypeOf<routes.ImportList>().toEqualTypeOf<imports.ImportList>();
  expectTypeOf<routes.Checked>().toEqualTypeOf<imports.Checked>();
  expectTypeOf<routes.CatalogueServer>().toEqualTypeOf<imports.CatalogueServer>();
  expectTypeOf<imports.ImportForm>().toExtend<z.input<typeof forms.ImportForm>>();
  expectTypeOf<imports.ImportPatch>().toExtend<z.input<typeof forms.ImportPatch>>();
});

it('has the gateway’s types for approvals', () => {
  expectTypeOf<asked.ShownApproval>().toEqualTypeOf<approvals.Approval>();
  expectTypeOf<asked.Decisions['results'][number]>().toEqualTypeOf<approvals.Decided>();
  expectTypeOf<approvals.Decision>().toExtend<z.input<typeof asked.DecisionForm>>();
});

it('has the gateway’s types for people and the whole gateway', () => {
  expectTypeOf<people.Me>().toEqualTypeOf<Myself>();
  expectTypeOf<people.Person>().toEqualTypeOf<Person>();
  expectTypeOf<people.PersonInFull>().toEqualTypeOf<PersonInFull>();
  expectTypeOf<people.PeoplePage>().toEqualTypeOf<PeoplePage>();
  expectTypeOf<overview.EverybodysAuditPage>().toExtend<portal.AuditPage>();
  expectTypeOf<overview.RegisteredAgent>().toEqualTypeOf<RegisteredAgent>();
  expectTypeOf<overview.RegisteredAgents>().toEqualTypeOf<RegisteredAgents>();
  expectTypeOf<ClientInList>().toEqualTypeOf<ListedClient>();
});
