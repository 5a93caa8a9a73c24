// Numbers and months as the page's language writes them.
function spoken(language) {
  const named = (count, one, options) => {
    const format = new Intl.DateTimeFormat(language, { timeZone: "UTC", ...options });
    return Array.from({ length: count }, (_, n) => format.format(new Date(one(n))));
  };
  const month = (n) => Date.UTC(2024, n, 1),
    day = (n) => Date.UTC(2024, 8, 1 + n); // a Sunday
  const parts = new Intl.NumberFormat(language, { useGrouping: true }).formatToParts(12345.6);
  const sign = (type, otherwise) => parts.find((part) => part.type === type)?.value ?? otherwise;
  const number = {
    decimal: sign("decimal", "."),
    thousands: sign("group", ""),
    grouping: [3],
    currency: ["", ""],
  };
  const time = {
    dateTime: "%x, %X",
    date: "%d/%m/%Y",
    time: "%H:%M:%S",
    periods: ["AM", "PM"],
    days: named(7, day, { weekday: "long" }),
    shortDays: named(7, day, { weekday: "short" }),
    months: named(12, month, { month: "long" }),
    shortMonths: named(12, month, { month: "short" }),
  };
  return { number, time };
}

if (document.documentElement.lang !== "en") {
  const { number, time } = spoken(document.documentElement.lang);
  vega.formatLocale(number);
  vega.timeFormatLocale(time);
}
