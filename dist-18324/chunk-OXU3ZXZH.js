(function(use,load,meta,require){"use strict";
var A,U=()=>A??=require                 ("node:fs"),d=r=>U()[r];var T=d("closeSync");var b=d("existsSync");var R=d("openSync");var E=d("statSync");var H,P=()=>H??=require                 ("node:sqlite"),z=r=>P()[r],k=z("DatabaseSync");var $,B=()=>$??=require                 ("node:crypto");var m=(...r)=>B().createHash(...r);var G,K=()=>G??=require                 ("node:zlib"),O=r=>K()[r];var D=O("deflateRawSync");var N=O("inflateRawSync");function C(r){return r!==null&&["timeout","memory","crashed"].includes(r.kind)}function ee(r){let{source:e}=r,t=e.kind==="tape"?{kind:e.kind,fingerprint:e.fingerprint}:e;return W({...r,strategy:void 0,
source:t}).slice(0,32)}function te(r){return y(r)}function re(r){return D(r,{level:1})}function u(r){return JSON.parse(N(r).toString("utf8"))}function oe(r,e){return m("sha256").update(`{"id":${JSON.stringify(
r)},"result":${e}}`).digest("hex")}function I(r){let e=m("sha256"),t="";for(let{id:o,hash:n}of r)e.update(`${t}${o} ${n}`),t=`
`;return e.digest("hex")}function W(r){return m("sha256").update(y(r)).digest("hex")}function y(r){return typeof r!="object"||r===null?JSON.stringify(r):Array.isArray(r)?`[${r.map(t=>y(t)??"null").join(
",")}]`:`{${Object.keys(r).sort().flatMap(t=>{let o=y(r[t]);return o===void 0?[]:[`${JSON.stringify(t)}:${o}`]}).join(",")}}`}var c=class extends Error{name="TrialsFileError";isOfDisk;constructor(e,t=!1){super(e),this.isOfDisk=t}},F=1885696620,x=1,V=1e4,f={full:13,failed:10,noFile:14},_=`
CREATE TABLE strategies (hash TEXT PRIMARY KEY, modules TEXT NOT NULL) WITHOUT ROWID, STRICT;
CREATE TABLE sweeps (
  sweep TEXT NOT NULL, shard INTEGER NOT NULL, shards INTEGER NOT NULL, settings TEXT NOT NULL, done INTEGER NOT NULL,
  PRIMARY KEY (sweep, shard, shards)
) WITHOUT ROWID, STRICT;
CREATE TABLE trials (
  id TEXT PRIMARY KEY, spec TEXT NOT NULL, hash TEXT NOT NULL, cpu_ms INTEGER NOT NULL, result BLOB NOT NULL
) STRICT;
CREATE TABLE facts (kind TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (kind, name))
WITHOUT ROWID, STRICT;
PRAGMA application_id = ${F};
PRAGMA user_version = ${x};`;function S({cpu_ms:r,result:e}){return Number(r)===0&&C(u(e).problem)}var L=class r{file;#e;constructor(e,t){this.file=e,this.#e=t}static open(e,{create:t=!1,readOnly:o=!1}={}){
let n;try{let s=E(e,{throwIfNoEntry:!1}),i=s===void 0;if(i&&!t)throw new c(`There is no trials file ${e}.`);if(s?.isFile()===!1)throw new c(`${e} is ${s.isDirectory()?"a folder":"not a regular file"}.`);
return i?T(R(e,"ax",384)):o&&b(`${e}-journal`)&&r.open(e).close(),n=new r(e,new k(e,{readOnly:o,timeout:V})),n.#n(o),n}catch(s){throw n?.close(),h(e,s)}}#n(e){let t=s=>Number(Object.values(this.#e.prepare(
`PRAGMA ${s}`).get())[0]);if(t("application_id")===0&&t("schema_version")===0){if(e)throw new c(`${this.file} has no trials.`);this.#t(()=>this.#e.exec(_));return}if(t("application_id")!==F)throw new c(
`${this.file} is not a trials file.`);let o=t("user_version");if(o===x)return;let n=o>x?"use a newer perp":"use an older perp, or another --out";throw new c(`${this.file} has trials format ${o}, but t\
his perp reads ${x}: ${n}.`)}known(e){let t=this.#e.prepare("SELECT cpu_ms, result FROM trials WHERE id = ?");return new Set([...e].filter(o=>{let n=t.get(o);return n!==void 0&&!S(n)}))}get count(){return Number(
this.#e.prepare("SELECT count(*) AS n FROM trials").get().n)}add(e){this.#t(()=>{let t=this.#o(({id:o})=>`Trial ${o} is already in ${this.file}, with another result.`);for(let{id:o,spec:n,hash:s,cpuMs:i,
packed:p}of e)t({id:o,spec:JSON.stringify(n),hash:s,cpu_ms:i,result:p})})}#o(e){let t=this.#e.prepare("SELECT hash, cpu_ms, result FROM trials WHERE id = ?"),o=this.#e.prepare("INSERT OR REPLACE INTO \
trials VALUES (?, ?, ?, ?, ?)");return n=>{let s=t.get(n.id);if(s?.hash!==n.hash){if(s!==void 0&&!S(s)){if(S(n))return;throw new c(e(n))}o.run(n.id,n.spec,n.hash,n.cpu_ms,n.result)}}}*trials(){for(let e of this.#e.
prepare("SELECT id, spec, hash, cpu_ms, result FROM trials ORDER BY id").iterate()){let{id:t,spec:o,hash:n,cpu_ms:s,result:i}=e;yield{id:String(t),spec:JSON.parse(String(o)),result:u(i),hash:String(n),
cpuMs:Number(s)}}}trial(e){let t=this.#e.prepare("SELECT spec, hash, cpu_ms, result FROM trials WHERE id = ?").get(e);if(t===void 0)return;let{spec:o,hash:n,cpu_ms:s,result:i}=t,p=JSON.parse(String(o));
return{id:e,spec:p,result:u(i),hash:String(n),cpuMs:Number(s)}}hash(){let e=this.#e.prepare("SELECT id, hash FROM trials ORDER BY id").iterate();return I(e)}addStrategy(e,t){this.#t(()=>this.#e.prepare(
"INSERT OR IGNORE INTO strategies VALUES (?, ?)").run(e,JSON.stringify(t)))}strategy(e){let t=this.#e.prepare("SELECT modules FROM strategies WHERE hash = ?").get(e);return t===void 0?void 0:JSON.parse(
String(t.modules))}addPart({sweep:e,shard:t,of:o,settings:n,isDone:s}){this.#t(()=>this.#e.prepare(`INSERT INTO sweeps VALUES (?, ?, ?, ?, ?)
           ON CONFLICT DO UPDATE SET done = max(done, excluded.done), settings = excluded.settings`).run(e,t,o,JSON.stringify(n),s?1:0))}parts(){return this.#e.prepare("SELECT * FROM sweeps ORDER BY s\
weep, shards, shard").all().map(({sweep:t,shard:o,shards:n,settings:s,done:i})=>({sweep:String(t),shard:Number(o),of:Number(n),settings:JSON.parse(String(s)),isDone:Number(i)===1}))}setFact(e,t,o){this.#t(
()=>this.#e.prepare("INSERT OR REPLACE INTO facts VALUES (?, ?, ?)").run(e,t,JSON.stringify(o)))}facts(e){let t=this.#e.prepare("SELECT name, value FROM facts WHERE kind = ? ORDER BY name").all(e);return new Map(
t.map(({name:o,value:n})=>[String(o),JSON.parse(String(n))]))}take(e,t){for(let o of e.parts())this.addPart(o);this.#t(()=>{let o=this.#e,n=o.prepare("INSERT OR IGNORE INTO strategies VALUES (?, ?)");
for(let{hash:a,modules:l}of e.#r("strategies"))n.run(a,l);let s=o.prepare("SELECT value FROM facts WHERE kind = ? AND name = ?"),i=o.prepare("INSERT OR REPLACE INTO facts VALUES (?, ?, ?)");for(let{kind:a,
name:l,value:g}of e.#r("facts")){let w=[s.get(a,l)?.value??g,g].map(v=>JSON.parse(String(v)));i.run(a,l,JSON.stringify(t(String(a),w[0],w[1])))}let p="the same trial with another result. Only one of t\
hem can be right; with --think real, run each trial once",M=this.#o(({id:a})=>`${e.file} and the files before it have ${a}, ${p}.`);for(let a of e.#r("trials"))M(a)})}*#r(e){try{yield*this.#e.prepare(
`SELECT * FROM ${e}`).iterate()}catch(t){throw h(this.file,t)}}close(){this.#e.isOpen&&this.#e.close()}#t(e){try{this.#e.exec("BEGIN IMMEDIATE");try{e(),this.#e.exec("COMMIT")}catch(t){throw this.#e.isTransaction&&
this.#e.exec("ROLLBACK"),t}}catch(t){throw h(this.file,t)}}};function h(r,e){if(e instanceof c)return e;let{message:t,code:o,errcode:n}=e,s=n===void 0?void 0:n&255;if(s===f.full||o==="ENOSPC"||o==="ED\
QUOT")return new c(`There is no space left to write ${r}.`,!0);if(s===26)return new c(`${r} is not a trials file.`);if(s===5)return new c(`${r} is in use by another process.`);if(n===void 0&&o===void 0)
return e;let i=s===f.failed||s===f.noFile;return new c(`${r} can't be used: ${t}.`,i)}                                                                                  

return{a:C,b:ee,c:te,d:re,e:u,f:oe,g:W,h:c,i:L,j:h}})