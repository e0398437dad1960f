// Shows push notices, and opens their page. It handles no requests, so it changes nothing else of the portal.
self.addEventListener('push', (event) => {
  const { title = 'Gateway', body = '', url = '/' } = event.data?.json() ?? {};
  event.waitUntil(self.registration.showNotification(title, { body, data: { url }, icon: '/mark.svg' }));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const url = new URL(event.notification.data?.url ?? '/', self.location.origin);
  // Nothing but a page of the portal opens.
  if (url.origin !== self.location.origin) return;
  event.waitUntil(
    self.clients.matchAll({ type: 'window' }).then(async (windows) => {
      const same = windows.find((each) => each.url === url.href);
      return same === undefined ? self.clients.openWindow(url.href) : same.focus();
    }),
  );
});
