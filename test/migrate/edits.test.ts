// What administrators append to a stock file, or change in it: every value that stays known is right, and no other is left to a person.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openEngine } from "../../src/migrate/evaluate/runner.js";
import { migrate } from "../../src/migrate/migrate.js";
import { PROJECT } from "../support/run.js";

const STOCK = readFileSync(join(PROJECT, "test/migrate/files/00b-stock-10.4.js"), "utf8");
const appended = (t: string) => `${STOCK}\n${t}\n`;
const changed = (a: string | RegExp, b: string) => {
  const r = STOCK.replace(a, () => b);
  if (r === STOCK) throw new Error(String(a));
  return r;
};
const minutes = (v: unknown) => ({ tokenExpiration: v });
/** Each with what differs from the stock file: "?" is left to a person, "!" is known and another value, "*" stands for all. */
const edits: [string, Readonly<Record<string, unknown>>][] = [
  [changed("tokenExpiration: 120", "tokenExpiration: 60"), minutes(60)],
  [changed("tokenExpiration: 120", "tokenExpiration: 8 * 60"), minutes(480)],
  [
    changed("tokenExpiration: 120", "// tokenExpiration: 120\n tokenExpiration: 30, // was 120 "),
    minutes(30),
  ],
  [appended("esriGeowConfig.tokenExpiration = 15;"), minutes(15)],
  [appended("window.esriGeowConfig.httpsDomains.push('gis.example.org');"), { httpsDomains: "!" }],
  [
    appended(
      "(function () { var c = window.esriGeowConfig; c.tokenExpiration = 20; c.surveyUrl = location.protocol + '//survey.example.org'; })();",
    ),
    { tokenExpiration: 20, surveyUrl: "https://survey.example.org" },
  ],
  [
    appended("if (location.hostname === 'test.example.org') esriGeowConfig.tokenExpiration = 5;"),
    minutes("?"),
  ],
  [
    appended(
      "if (location.hostname.indexOf('test') >= 0) { esriGeowConfig.tokenExpiration = 5; } else { esriGeowConfig.tokenExpiration = 6; }",
    ),
    minutes("?"),
  ],
  [
    appended(
      "var isTest = /test/.test(location.host);\nesriGeowConfig.tokenExpiration = isTest ? 5 : 60;",
    ),
    minutes("?"),
  ],
  [appended("if (window.console && console.log) { console.log('config loaded'); }"), {}],
  [
    appended(
      "if (typeof jQuery !== 'undefined') { jQuery(function () { jQuery('#x').hide(); }); }",
    ),
    {},
  ],
  [
    appended("dojo.mixin(esriGeowConfig, { tokenExpiration: 45, showCreateDashboard: false });"),
    { tokenExpiration: 45, showCreateDashboard: false },
  ],
  [
    appended(
      "var overrides = { tokenExpiration: 40, webAppBuilderEnabled: false };\nfor (var k in overrides) { if (overrides.hasOwnProperty(k)) { esriGeowConfig[k] = overrides[k]; } }",
    ),
    { tokenExpiration: 40, webAppBuilderEnabled: false },
  ],
  [appended("document.cookie = 'seen=1; path=/';"), {}],
  [
    appended(
      "var _gaq = _gaq || []; _gaq.push(['_setAccount', 'UA-1']); (function () { var ga = document.createElement('script'); ga.async = true; ga.src = ('https:' == document.location.protocol ? 'https://ssl' : 'http://www') + '.example.com/ga.js'; var s = document.getElementsByTagName('script')[0]; s.parentNode.insertBefore(ga, s); })();",
    ),
    {},
  ],
  [
    appended(
      "function getParam(n) { var m = new RegExp('[?&]' + n + '=([^&]*)').exec(location.search); return m ? m[1] : ''; }\nif (getParam('debug') === '1') { window.DEBUG = true; }",
    ),
    {},
  ],
  [
    appended(
      "function getParam(n) { var m = new RegExp('[?&]' + n + '=([^&]*)').exec(location.search); return m ? m[1] : ''; }\nif (getParam('wab') === '0') { esriGeowConfig.webAppBuilderEnabled = false; }",
    ),
    { webAppBuilderEnabled: "?" },
  ],
  [
    appended(
      "require(['dojo/ready'], function (ready) { ready(function () { document.title = 'Our portal'; }); });",
    ),
    {},
  ],
  [
    appended(
      "require(['dojo/dom', 'dojo/domReady!'], function (dom) { var n = dom.byId('footer'); if (n) { n.innerHTML = 'Text'; } });",
    ),
    {},
  ],
  [
    appended(
      "window.onload = function () { var b = document.getElementById('banner'); if (b) { b.style.display = 'none'; } };",
    ),
    {},
  ],
  [
    appended(
      "if (!window.location.origin) { window.location.origin = location.protocol + '//' + location.hostname + (location.port ? ':' + location.port : ''); }",
    ),
    {},
  ],
  [
    appended(
      "if (location.protocol === 'http:') { location.href = location.href.replace('http:', 'https:'); }",
    ),
    {},
  ],
  [
    appended("if (window.location.protocol != 'https:') { esriGeowConfig.tokenExpiration = 10; }"),
    {},
  ],
  [
    appended(
      "try { esriGeowConfig.surveyUrl = 'https://survey.example.org'; } catch (e) { console.log(e); }",
    ),
    { surveyUrl: "https://survey.example.org" },
  ],
  [
    appended(
      "try { var p = JSON.parse(localStorage.getItem('prefs')); window.prefs = p; } catch (e) {}",
    ),
    {},
  ],
  [
    appended(
      "setTimeout(function () { var x = document.querySelector('.splash'); if (x) x.remove(); }, 500);",
    ),
    {},
  ],
  [
    appended(
      "if (!Array.prototype.indexOf) { Array.prototype.indexOf = function (x) { for (var i = 0; i < this.length; i++) if (this[i] === x) return i; return -1; }; }",
    ),
    {},
  ],
  [
    appended(
      "if (!String.prototype.trim) { String.prototype.trim = function () { return this.replace(/^\\s+|\\s+$/g, ''); }; }",
    ),
    {},
  ],
  [
    appended(
      "var ua = navigator.userAgent.toLowerCase(); var isIE = ua.indexOf('msie') !== -1 || ua.indexOf('trident') !== -1; if (isIE) { document.documentElement.className += ' ie'; }",
    ),
    {},
  ],
  [
    appended(
      "esriGeowConfig.footerLinks = [{ title: 'Contact', email: 'gis@example.org', type: 'contactUs' }, { title: 'Terms', url: location.protocol + '//www.example.org/terms' }];",
    ),
    { footerLinks: "!" },
  ],
  [
    appended(
      "esriGeowConfig.footerLinks.push({ title: 'Contact', url: 'https://' + location.host + '/c' });",
    ),
    { footerLinks: "?" },
  ],
  [appended("var year = new Date().getFullYear(); esriGeowConfig.copyright = '(c) ' + year;"), {}],
  [
    appended("esriGeowConfig.longTokenExpiration = esriGeowConfig.tokenExpiration * 10;"),
    { longTokenExpiration: 1200 },
  ],
  [appended("delete esriGeowConfig.webAppBuilderEnabled;"), { webAppBuilderEnabled: undefined }],
  [
    appended(
      "switch (location.hostname) { case 'a.example.org': esriGeowConfig.tokenExpiration = 5; break; default: esriGeowConfig.tokenExpiration = 50; }",
    ),
    minutes("?"),
  ],
  [
    appended(
      "var env = { 'a.example.org': 5, 'b.example.org': 6 }[location.hostname]; if (env) esriGeowConfig.tokenExpiration = env;",
    ),
    minutes("?"),
  ],
  [
    appended(
      "var env = { 'a.example.org': { portalName: 'A' }, 'b.example.org': { portalName: 'B' } }; if (env[location.hostname]) esriGeowConfig.portalName = env[location.hostname].portalName;",
    ),
    {},
  ],
  [
    appended(
      "if (document.cookie.indexOf('esri_auth') === -1 && location.pathname.indexOf('signin') === -1) { window.location = 'signin.html'; }",
    ),
    {},
  ],
  [
    appended(
      "esriGeowConfig.httpsDomains = esriGeowConfig.httpsDomains.concat(['x.example.org']);",
    ),
    { httpsDomains: "!" },
  ],
  [
    appended(
      "esriGeowConfig.httpsDomains = esriGeowConfig.httpsDomains.filter(function (d) { return d.indexOf('arcgis') < 0; });",
    ),
    { httpsDomains: "!" },
  ],
  [
    appended(
      "if (esriGeowConfig.httpsDomains.indexOf('x.example.org') < 0) esriGeowConfig.httpsDomains.push('x.example.org');",
    ),
    { httpsDomains: "!" },
  ],
  [
    appended(
      "if (!esriGeowConfig.surveyUrl) esriGeowConfig.surveyUrl = 'https://survey.example.org';",
    ),
    { surveyUrl: "https://survey.example.org" },
  ],
  [
    appended(
      "esriGeowConfig.surveyUrl = esriGeowConfig.surveyUrl || 'https://survey.example.org';",
    ),
    { surveyUrl: "https://survey.example.org" },
  ],
  [
    appended(
      "function set(k, v) { esriGeowConfig[k] = v; }\nset('tokenExpiration', 33); set('sceneViewerEnabled', false);",
    ),
    { tokenExpiration: 33, sceneViewerEnabled: false },
  ],
  [appended("window.customInit = function () { alert('hello'); };"), {}],
  [
    appended(
      "function showBanner() { var d = document.createElement('div'); d.innerHTML = 'Test system'; document.body.appendChild(d); }\nif (location.host.indexOf('test') > -1) { window.addEventListener('load', showBanner); }",
    ),
    {},
  ],
  [
    appended(
      "$(document).ready(function () { $('.x').click(function () { location.href = '/y'; }); });",
    ),
    {},
  ],
  [appended("esriGeowConfig.isInsideFirewall = /^10\\./.test(location.hostname);"), {}],
  [appended("var self_ = this; esriGeowConfig['token' + 'Expiration'] = 99;"), minutes(99)],
  [
    appended("window.esriGeowConfig.showSignUp = false; window.esriGeowConfig.bingMapsKey = 'x';"),
    {},
  ],
  [
    appended("esriGeowConfig.restrictOrganizationPageToAdmin = !0;"),
    { restrictOrganizationPageToAdmin: true },
  ],
  [
    appended(
      "(function () { var q = {}; location.search.substring(1).split('&').forEach(function (p) { var kv = p.split('='); q[kv[0]] = kv[1]; }); if (q.theme) { document.body.className = q.theme; } })();",
    ),
    {},
  ],
  [
    appended(
      "(function () { var q = {}; location.search.substring(1).split('&').forEach(function (p) { var kv = p.split('='); q[kv[0]] = kv[1]; }); if (q.ttl) { esriGeowConfig.tokenExpiration = +q.ttl; } })();",
    ),
    minutes("?"),
  ],
  [
    appended(
      "if (navigator.language.indexOf('fr') === 0) { esriGeowConfig.portalName = 'Portail'; }",
    ),
    {},
  ],
  [
    appended(
      "if (navigator.language.indexOf('fr') === 0) { esriGeowConfig.footerLinks = [{ title: 'Aide', url: 'https://www.example.org/aide' }]; }",
    ),
    { footerLinks: "?" },
  ],
  [
    appended("if (screen.width < 768) { esriGeowConfig.sceneViewerEnabled = false; }"),
    { sceneViewerEnabled: "?" },
  ],
  [appended("if (top !== self) { esriGeowConfig.isEmbedded = true; }"), {}],
  [
    appended("if (window.customConfig) { dojo.mixin(esriGeowConfig, window.customConfig); }"),
    { "*": "?" },
  ],
  [
    appended(
      "var helper = { unused: function (a) { return a + 1; }, log: function (m) { if (window.console) console.log(m); } }; helper.log('x');",
    ),
    {},
  ],
  [
    appended(
      "var s = document.createElement('link'); s.rel = 'stylesheet'; s.href = '/custom.css'; document.getElementsByTagName('head')[0].appendChild(s);",
    ),
    {},
  ],
];
const engine = openEngine();
afterAll(() => engine.close());

async function valuesOf(text: string): Promise<Record<string, unknown>> {
  const files = [{ file: "config.js", bytes: Buffer.from(text) }];
  const { properties } = await migrate(files, { target: "12.1", takesAll: true, engine });
  const settings = properties.filter(({ counterpart }) => counterpart);
  return Object.fromEntries(settings.map(({ name, cause, value }) => [name, cause ? "?" : value]));
}

const stock = await valuesOf(STOCK);

test.each(
  edits.map(
    ([text, changes]) => [text.replace(STOCK, "").slice(0, 90).trim(), text, changes] as const,
  ),
)("%s", async (_, text, changes) => {
  const found = await valuesOf(text);
  if ("*" in changes) {
    expect(new Set(Object.values(found))).toEqual(new Set(["?"]));
    return;
  }
  const others = Object.entries(changes).filter(([, value]) => value === "!");
  for (const [name] of others) {
    expect(found[name]).not.toBe("?");
    expect(found[name]).not.toEqual(stock[name]);
  }
  const open = Object.fromEntries(others.map(([name]) => [name, found[name]]));
  expect(found).toEqual({ ...stock, ...changes, ...open });
});
