// Builds the application: mounts the guards and the routes of all features, and nothing else.
import { Hono } from 'hono';
import type { Deps } from './deps.ts';
import { limitUnknownKeys } from './http/address-limits.ts';
import { createErrorHandler, notFound } from './http/errors.ts';
import { mountListHeaders } from './http/list-headers.ts';
import { EVERYWHERE, observe, type RequestEnv } from './http/observe.ts';
import { createPortalRoutes } from './http/portal.ts';
import { createRouter } from './http/router.ts';
import type { Routes } from './kit/feature.ts';

/** The surfaces that not every adapter has: it builds them, or forwards them to a gateway that does. */
export interface Surfaces {
  liveView?: Routes;
  scim?: Routes;
}

interface Runtime {
  /** False where the platform compresses every answer. */
  compresses?: boolean;
}

export function createApp(
  deps: Deps,
  { liveView, scim, compresses = false }: Surfaces & Runtime = {},
): Hono<RequestEnv> {
  const { addressLimits, assets, callers, config, features } = deps;
  const portal = { ...deps, identify: callers.portal };
  const machine = { ...deps, identify: callers.machine };

  const app = new Hono<RequestEnv>({ router: createRouter() });
  // `route` copies the routes, whatever variables their handlers set.
  const mount = (routes: Routes) => void app.route('/', routes as Hono);
  app.onError(createErrorHandler(deps));
  app.notFound(notFound);
  app.use(EVERYWHERE, observe(deps));
  if (!config.loopback) app.use(EVERYWHERE, limitUnknownKeys(addressLimits, deps));
  for (const { guards } of features) for (const { path, run } of guards?.(deps) ?? []) app.use(path, run);
  mountListHeaders(app, compresses);

  for (const { routes } of features) {
    for (const create of routes?.portal ?? []) mount(create(portal));
    for (const create of routes?.machine ?? []) mount(create(machine));
    for (const create of routes?.open ?? []) mount(create(deps));
  }
  if (liveView !== undefined) mount(liveView);
  if (scim !== undefined) mount(scim);
  // It answers every path that nothing else does.
  app.route('/', createPortalRoutes(assets));
  return app;
}
