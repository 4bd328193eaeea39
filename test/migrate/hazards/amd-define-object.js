// A module is a plain object that looks like a configuration.
define({ tokenExpiration: 30, httpsDomains: ["a.example.org"] });
