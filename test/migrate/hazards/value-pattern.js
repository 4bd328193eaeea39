// A pattern as a setting, and one in a list.
window.esriGeowConfig = { surveyUrl: /https:\/\/s\.example\.org/, httpsDomains: [/a\.example\.org/, "b.example.org"] };
