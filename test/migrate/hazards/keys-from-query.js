// Each parameter of the address becomes a value.
window.esriGeowConfig = { tokenExpiration: 30, surveyUrl: "https://s.example.org" };
Object.assign(
  esriGeowConfig,
  Object.fromEntries(
    location.search
      .slice(1)
      .split("&")
      .map(function (each) {
        return each.split("=");
      }),
  ),
);
