// Keeps the page of a table at hand, so that it opens without a network too. What is entered is kept
// by the page itself and is none of its business.
const NAME = "table-1";
const mine = (url) =>
  url.origin === location.origin &&
  (url.pathname.startsWith("/table/") || url.pathname.startsWith("/static/")) &&
  !url.pathname.endsWith("/stream");
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || !mine(new URL(event.request.url))) return;
  event.respondWith(
    (async () => {
      const kept = await caches.open(NAME);
      try {
        const answer = await fetch(event.request);
        if (answer.ok) await kept.put(event.request, answer.clone());
        return answer;
      } catch (error) {
        const before = await kept.match(event.request);
        if (before) return before;
        throw error;
      }
    })(),
  );
});
