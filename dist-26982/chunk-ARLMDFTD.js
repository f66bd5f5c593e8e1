(function(use,load,meta,require){"use strict";
var z,$=()=>z??=require                 ("node:fs"),m=r=>$()[r];var R=m("closeSync");var E=m("existsSync");var k=m("openSync");var O=m("statSync");var B,G=()=>B??=require                 ("node:sqlite"),K=r=>G()[r],D=K("DatabaseSync");var W,J=()=>W??=require                 ("node:zlib"),N=r=>J()[r];var C=N("deflateRawSync");var I=N("inflateRawSync");function oe(r){return C(r,{level:1})}function d(r){return JSON.parse(I(r).toString("utf8"))}var V,_=()=>V??=require                 ("node:crypto");var y=(...r)=>_().createHash(...r);function L(r){return r!==null&&["timeout","memory","crashed"].includes(r.kind)}function ce(r){let{source:e}=r,t=e.kind==="tape"?{kind:e.kind,fingerprint:e.fingerprint}:e;return j({...r,strategy:void 0,
source:t}).slice(0,32)}function pe(r){return u(r)}function ae(r,e){return y("sha256").update(`{"id":${JSON.stringify(r)},"result":${e}}`).digest("hex")}function F(r){let e=y("sha256"),t="";for(let{id:o,
hash:n}of r)e.update(`${t}${o} ${n}`),t=`
`;return e.digest("hex")}function j(r){return y("sha256").update(u(r)).digest("hex")}function u(r){if(typeof r!="object"||r===null)return JSON.stringify(r);if(Array.isArray(r)){if(r.every(M))return JSON.
stringify(r);let t=X(r);return t===null?`[${r.map(o=>u(o)??"null").join(",")}]`:JSON.stringify(r,[...t])}let e=[];for(let t of A(r)){let o=u(r[t]);o!==void 0&&e.push(`${JSON.stringify(t)}:${o}`)}return`\
{${e.join(",")}}`}function X(r){let e=null;for(let t of r){if(typeof t!="object"||t===null||Array.isArray(t))return null;let o=A(t);if(e??=o,o!==e||!Object.values(t).every(M))return null}return e}function M(r){
return(typeof r!="object"||r===null)&&typeof r!="function"}var x=[],S=[];function A(r){let e=Object.keys(r);return e.length===x.length&&e.every((t,o)=>t===x[o])||(x=e,S=[...e].sort()),S}var c=class extends Error{name="TrialsFileError";isOfDisk;constructor(e,t=!1){super(e),this.isOfDisk=t}},U=1885696620,f=1,Y=1e4,h={full:13,failed:10,noFile:14},Z=`
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
PRAGMA application_id = ${U};
PRAGMA user_version = ${f};`;function g({cpu_ms:r,result:e}){return Number(r)===0&&L(d(e).problem)}var v=class r{file;#e;constructor(e,t){this.file=e,this.#e=t}static open(e,{create:t=!1,readOnly:o=!1}={}){
let n;try{let s=O(e,{throwIfNoEntry:!1}),i=s===void 0;if(i&&!t)throw new c(`There is no trials file ${e}.`);if(s?.isFile()===!1)throw new c(`${e} is ${s.isDirectory()?"a folder":"not a regular file"}.`);
i?R(k(e,"ax",384)):o&&E(`${e}-journal`)&&r.open(e).close();let a=new D(e,{readOnly:o,timeout:Y});return n=new r(e,a),n.#n(o),n}catch(s){throw n?.close(),w(e,s)}}#n(e){let t=s=>Number(Object.values(this.#e.
prepare(`PRAGMA ${s}`).get())[0]);if(t("application_id")===0&&t("schema_version")===0){if(e)throw new c(`${this.file} has no trials.`);this.#t(()=>this.#e.exec(Z));return}if(t("application_id")!==U)throw new c(
`${this.file} is not a trials file.`);let o=t("user_version");if(o===f)return;let n=o>f?"use a newer perp":"use an older perp, or another --out";throw new c(`${this.file} has trials format ${o}, but t\
his perp reads ${f}: ${n}.`)}known(e){let t=this.#e.prepare("SELECT cpu_ms, result FROM trials WHERE id = ?");return new Set([...e].filter(o=>{let n=t.get(o);return n!==void 0&&!g(n)}))}get count(){return Number(
this.#e.prepare("SELECT count(*) AS n FROM trials").get().n)}add(e){this.#t(()=>{let t=this.#o(({id:o})=>`Trial ${o} is already in ${this.file}, with another result.`);for(let{id:o,spec:n,hash:s,cpuMs:i,
packed:a}of e)t({id:o,spec:JSON.stringify(n),hash:s,cpu_ms:i,result:a})})}#o(e){let t=this.#e.prepare("SELECT hash, cpu_ms, result FROM trials WHERE id = ?"),o=this.#e.prepare("INSERT OR REPLACE INTO \
trials VALUES (?, ?, ?, ?, ?)");return n=>{let s=t.get(n.id);if(s?.hash!==n.hash){if(s!==void 0&&!g(s)){if(g(n))return;throw new c(e(n))}o.run(n.id,n.spec,n.hash,n.cpu_ms,n.result)}}}*trials(){for(let e of this.#e.
prepare("SELECT id, spec, hash, cpu_ms, result FROM trials ORDER BY id").iterate()){let{id:t,spec:o,hash:n,cpu_ms:s,result:i}=e;yield{id:String(t),spec:JSON.parse(String(o)),result:d(i),hash:String(n),
cpuMs:Number(s)}}}trial(e){let t=this.#e.prepare("SELECT spec, hash, cpu_ms, result FROM trials WHERE id = ?").get(e);if(t===void 0)return;let{spec:o,hash:n,cpu_ms:s,result:i}=t,a=JSON.parse(String(o));
return{id:e,spec:a,result:d(i),hash:String(n),cpuMs:Number(s)}}hash(){let e=this.#e.prepare("SELECT id, hash FROM trials ORDER BY id").iterate();return F(e)}addStrategy(e,t){this.#t(()=>this.#e.prepare(
"INSERT OR IGNORE INTO strategies VALUES (?, ?)").run(e,JSON.stringify(t)))}strategy(e){let t=this.#e.prepare("SELECT modules FROM strategies WHERE hash = ?").get(e);return t===void 0?void 0:JSON.parse(
String(t.modules))}addPart({sweep:e,shard:t,of:o,settings:n,isDone:s}){this.#t(()=>this.#e.prepare(`INSERT INTO sweeps VALUES (?, ?, ?, ?, ?)
           ON CONFLICT DO UPDATE SET done = max(done, excluded.done), settings = excluded.settings`).run(e,t,o,JSON.stringify(n),s?1:0))}parts(){return this.#e.prepare("SELECT * FROM sweeps ORDER BY s\
weep, shards, shard").all().map(({sweep:t,shard:o,shards:n,settings:s,done:i})=>({sweep:String(t),shard:Number(o),of:Number(n),settings:JSON.parse(String(s)),isDone:Number(i)===1}))}setFact(e,t,o){this.#t(
()=>this.#e.prepare("INSERT OR REPLACE INTO facts VALUES (?, ?, ?)").run(e,t,JSON.stringify(o)))}facts(e){let t=this.#e.prepare("SELECT name, value FROM facts WHERE kind = ? ORDER BY name").all(e);return new Map(
t.map(({name:o,value:n})=>[String(o),JSON.parse(String(n))]))}take(e,t){for(let o of e.parts())this.addPart(o);this.#t(()=>{let o=this.#e,n=o.prepare("INSERT OR IGNORE INTO strategies VALUES (?, ?)");
for(let{hash:p,modules:l}of e.#r("strategies"))n.run(p,l);let s=o.prepare("SELECT value FROM facts WHERE kind = ? AND name = ?"),i=o.prepare("INSERT OR REPLACE INTO facts VALUES (?, ?, ?)");for(let{kind:p,
name:l,value:b}of e.#r("facts")){let T=[s.get(p,l)?.value??b,b].map(H=>JSON.parse(String(H)));i.run(p,l,JSON.stringify(t(String(p),T[0],T[1])))}let a="the same trial with another result. Only one of t\
hem can be right; with --think real, run each trial once",P=this.#o(({id:p})=>`${e.file} and the files before it have ${p}, ${a}.`);for(let p of e.#r("trials"))P(p)})}*#r(e){try{yield*this.#e.prepare(
`SELECT * FROM ${e}`).iterate()}catch(t){throw w(this.file,t)}}close(){this.#e.isOpen&&this.#e.close()}#t(e){try{this.#e.exec("BEGIN IMMEDIATE");try{e(),this.#e.exec("COMMIT")}catch(t){throw this.#e.isTransaction&&
this.#e.exec("ROLLBACK"),t}}catch(t){throw w(this.file,t)}}};function w(r,e){if(e instanceof c)return e;let{message:t,code:o,errcode:n}=e,s=n===void 0?void 0:n&255;if(s===h.full||o==="ENOSPC"||o==="ED\
QUOT")return new c(`There is no space left to write ${r}.`,!0);if(s===26)return new c(`${r} is not a trials file.`);if(s===5)return new c(`${r} is in use by another process.`);if(n===void 0&&o===void 0)
return e;let i=s===h.failed||s===h.noFile;return new c(`${r} can't be used: ${t}.`,i)}                                                                                  

return{a:oe,b:d,c:L,d:ce,e:pe,f:ae,g:j,h:c,i:v,j:w}})