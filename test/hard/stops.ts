// Sends SIGTERM with calls in flight, and checks that they finish and the process exits.
import { figure } from './figures.ts';
import { pause } from './private-services.ts';
import { openStand } from './stand.ts';

const CALLS = 40;

export async function stopRuns(): Promise<void> {
  const stand = await openStand();
  try {
    const gateway = await stand.start();
    const headers = { 'x-service-api-key': gateway.apiKey, 'content-type': 'application/json' };
    const authorization = `Bearer ${await stand.curlToken(gateway, headers)}`;
    const calls = Array.from({ length: CALLS }, () =>
      gateway.request('/c/resend/slow', { headers: { authorization } }).then(
        async (response) => `${response.status} ${await response.text()}`,
        () => 'cut',
      ),
    );
    while (stand.asked('/slow') < CALLS) await pause(20);
    const exited = gateway.stop();
    const answers = await Promise.all(calls);
    const well = answers.filter((answer) => answer === '200 ok').length;
    figure('SIGTERM, calls in flight that finished', `${well} of ${CALLS}`, well === CALLS);
    const { code } = await exited;
    figure('SIGTERM, exit', String(code), code === 0);
    figure('SIGTERM, processes left', String(gateway.hasProcesses()), !gateway.hasProcesses());
  } finally {
    await stand.close();
  }
}
