(function(use,load,meta,require){"use strict";const {a:q,b:j}=use("chunk-R4DLC7YJ.js");const {Aj:K,We:W,e:M,sa:u,ua:V,vj:G,wj:J}=use("chunk-AFUPYCZE.js");
                                                                                                                                       var ve,Pe=()=>ve??=require                 ("node:child_process");var X=(...e)=>Pe().spawnSync(...e);var Ee,Fe=()=>Ee??=require                 ("node:crypto");var z=(...e)=>Fe().randomBytes(...e);var Te,be=()=>Te??=require                 ("node:fs"),F=e=>be()[e];var T=F("existsSync");var b=F("readFileSync");var k=F("writeFileSync");var _e,Ce=()=>_e??=require                 ("node:http"),Re=e=>Ce()[e];var Y=Re("createServer");var Ae,Ie=()=>Ae??=require                 ("node:net"),Q=e=>Ie()[e];var _=Q("connect");var C=Q("isIP");var Ne,De=()=>Ne??=require                 ("node:path"),Le=e=>De()[e];var w=Le("join");var Oe,Ue=()=>Oe??=require                 ("node:tls"),Z=e=>Ue()[e];var ee=Z("TLSSocket");var te=Z("connect");var R=["/etc/ssl/certs/ca-certificates.crt","/etc/pki/tls/certs/ca-bundle.crt","/etc/ssl/ca-bundle.pem","/etc/ssl/cert.pem"],He=`
set -e
PATH="$PATH:/usr/sbin:/sbin"
ip link set lo up
mount --bind "$0/hosts" /etc/hosts
if [ -e /etc/nsswitch.conf ]; then mount --bind "$0/nsswitch.conf" /etc/nsswitch.conf; fi
if [ -d /run/nscd ]; then mount -t tmpfs none /run/nscd; fi
for file in ${R.join(" ")}; do
  if [ -e "$file" ]; then mount --bind "$0/certificates.pem" "$file"; fi
done
exec "$@"
`;function Mt(e,t){if(process.platform!=="linux")return{problem:"only Linux can give a single program its own network"};k(w(e,"hosts"),oe(t,["127.0.0.1"])),k(w(e,"nsswitch.conf"),Be());let o=process.getuid?.()===
0,n=["--user","--map-root-user"],r="";for(let s of o?[[],n]:[n]){let a=["unshare",...s,"--net","--mount","sh","-c",He,e],[d,...c]=[...a,"cat","/proc/net/if_inet6"],l=X(d,c,{encoding:"utf8",stdio:["ign\
ore","pipe","pipe"]});if(l.error!==void 0)return{problem:"unshare (util-linux) is not installed"};let x=l.status===0||/if_inet6/.test(l.stderr);if(r||=$e(l.stderr.trim().split(`
`).at(-1)||"unshare failed"),!x)continue;let i=["127.0.0.1",.../^0{31}1 /m.test(l.stdout)?["::1"]:[]];k(w(e,"hosts"),oe(t,i));let p=o?[]:["unshare","--user",`--map-user=${process.getuid()}`,`--map-gro\
up=${process.getgid()}`,"--"];return{supervisor:a,program:p,addresses:i}}return{problem:r}}function $e(e){return/No space left/.test(e)?"this system allows no more namespaces (its limits are in /proc/\
sys/user)":/not permitted|denied/.test(e)?`this system or its container does not allow namespaces (${e})`:e}function oe(e,t){let o=T("/etc/hosts")?b("/etc/hosts","utf8").split(`
`):[],n=s=>!s.split(/\s+/).some(a=>e.includes(a.toLowerCase()));return[...t.flatMap(s=>e.map(a=>`${s} ${a}`)),...o.filter(n),""].join(`
`)}function Be(){let e="/etc/nsswitch.conf";return["hosts: files dns",...(T(e)?b(e,"utf8").split(`
`):[]).filter(o=>!/^\s*hosts\s*:/.test(o)),""].join(`
`)}function Vt({names:e,take:t,variables:o,passed:n}){let r=`perp:${z(12).toString("base64url")}`,s=`Basic ${Buffer.from(r).toString("base64")}`,a=Y((d,c)=>c.writeHead(405,{connection:"close"}).end());
return a.on("connect",({url:d="",headers:c},l,x)=>{let i=l;if(i.on("error",()=>i.destroy()),c["proxy-authorization"]!==s)return i.end(`HTTP/1.1 407 Proxy Authentication Required\r
Proxy-Authenticate: Basic realm="perp"\r
\r
`);let[,p="",y=""]=/^\[?([^\]]+?)\]?:(\d{1,5})$/.exec(d)??[];if(x.length>0&&i.unshift(x),e.has(p.toLowerCase()))return i.write(`HTTP/1.1 200 OK\r
\r
`),t(i);if(p===""||!(Number(y)<=65535))return i.end(`HTTP/1.1 400 Bad Request\r
\r
`);try{let S=j(`https://${C(p)===6?`[${p}]`:p}:${y}`,o);return n(p),Me(i,p,Number(y),S)}catch(S){return S instanceof q?(n(p,S.message),i.end(`HTTP/1.1 502 Bad Gateway\r
\r
`)):i.end(`HTTP/1.1 400 Bad Request\r
\r
`)}}),{server:a,user:r}}function Me(e,t,o,n){let r=n===void 0?_(o,t):Ve(new URL(n.address)),s=!1;r.on(r instanceof ee?"secureConnect":"connect",()=>{s=!0,n===void 0?e.write(`HTTP/1.1 200 OK\r
\r
`):r.write(We(`${t}:${o}`,n)),e.pipe(r).pipe(e)}),r.on("error",()=>{s?e.destroy():e.end(`HTTP/1.1 502 Bad Gateway\r
\r
`)}),e.on("close",()=>r.destroy())}function Ve({protocol:e,hostname:t,port:o}){let n=t.replace(/^\[|\]$/g,"");return e==="http:"?_(Number(o||80),n):te({host:n,port:Number(o||443),...C(n)===0&&{servername:n}})}
function We(e,{authorization:t}){let o=t===void 0?"":`Proxy-Authorization: ${t}\r
`;return`CONNECT ${e} HTTP/1.1\r
Host: ${e}\r
${o}\r
`}var Ge,Je=()=>Ge??=require                 ("node:fs"),h=e=>Je()[e];var A=h("chmodSync");var ne=h("existsSync");var re=h("mkdirSync");var se=h("readFileSync");var ce=h("writeFileSync");var Ke,qe=()=>Ke??=require                 ("node:path"),ie=e=>qe()[e];var g=ie("join");var pe=ie("delimiter");var je,Xe=()=>je??=require                 ("node:tls"),ze=e=>Xe()[e];var ae=ze("rootCertificates");var Ye,Qe=()=>Ye??=require                 ("node:url"),Ze=e=>Qe()[e];var le=Ze("pathToFileURL");var et=["SSL_CERT_FILE","REQUESTS_CA_BUNDLE","CURL_CA_BUNDLE","NODE_EXTRA_CA_CERTS","WEBSOCKET_CLIENT_CA_BUNDLE","HTTPLIB2_CA_CERTS","DENO_CERT","NIX_SSL_CERT_FILE"];function oo(e,t){let{key:o,urls:n,
environment:r,state:s,stateDir:a,nodeOptions:d,trust:c,proxy:l}=t,x=p=>p.replace(/^http/,"ws"),i=(p,y)=>Object.fromEntries(p.map(S=>[S,y]));return{...e,PERP_ENV:"sim",PERP_PROFILE:W,PERP_STATE:s,PERP_STATE_DIR:a,
PERP_API_KEY:o,PERP_BASE_URL:n.live,PERP_SANDBOX_URL:n.test,PERP_MARKET_STREAM_URL:x(n[r]),PERP_ACCOUNT_STREAM_URL:x(n.live),PERP_SANDBOX_ACCOUNT_STREAM_URL:x(n.test),NODE_OPTIONS:d,...t.pythonPath!==
void 0&&{PYTHONPATH:t.pythonPath},...c!==void 0&&{...i(et,c),JAVA_TOOL_OPTIONS:ot(e,c)},...l!==void 0&&nt(e,l,t.direct),...i(t.keyVariables,o),...i(t.urlVariables,n[r])}}function tt(e){return e.replace(
/\.pem$/,".jks")}function ot(e,t){let o=u(e,"JAVA_TOOL_OPTIONS"),n=`"-Djavax.net.ssl.trustStore=${tt(t)}" -Djavax.net.ssl.trustStoreType=JKS`;return o===void 0?n:`${n} ${o}`}function nt(e,t,o){let n=u(
e,"no_proxy")??u(e,"NO_PROXY"),r=[...n===void 0?[]:[n],...o].join(",");return{HTTPS_PROXY:t,https_proxy:t,NO_PROXY:r,no_proxy:r,NODE_USE_ENV_PROXY:"1"}}function no(e,t){let n=[u(e,"SSL_CERT_FILE"),...R].
find(s=>s!==void 0&&ne(s));return`${(n===void 0?ae.join(`
`):se(n,"utf8")).trimEnd()}
${t}`}function ro(e,{redirect:t},o){let n=K(V(o)),r=u(o,"NODE_OPTIONS"),s=JSON.stringify(le(g(n,"package.json")).href),a=t===void 0?"":rt(t),d=de(g(e,"library.cjs"),`'use strict';
const { createRequire, registerHooks } = require('module');
if (registerHooks) registerHooks({
  resolve(specifier, context, next) {
    if (!specifier.startsWith('perp/') || context.parentURL === ${s}) return next(specifier, context);
    try {
      return next(specifier, context);
    } catch (error) {
      if (!/MODULE_NOT_FOUND$/.test(error.code)) throw error;
      const { href } = require('url').pathToFileURL(createRequire(${s}).resolve(specifier));
      return { url: href, shortCircuit: true };
    }
  },
});
${a}`),c=`--require ${JSON.stringify(d)}`;return r===void 0?c:`${r} ${c}`}function rt({hosts:e,to:t}){return`
const { Socket } = require('net');
const { connect } = Socket.prototype;
const hosts = new Set(${JSON.stringify(e.map(({name:n,port:r})=>`${n}:${r}`))});
const isSimulated = (host, port) => typeof host === 'string' && hosts.has(host.toLowerCase() + ':' + port);
const redirected = (options) =>
  options !== null && typeof options === 'object' && isSimulated(options.host, options.port)
    ? Object.assign({}, options, { host: '127.0.0.1', port: ${t} })
    : options;
Socket.prototype.connect = function (...args) {
  if (Array.isArray(args[0])) args[0][0] = redirected(args[0][0]);
  else if (isSimulated(args[1], args[0])) args.splice(0, 2, ${t}, '127.0.0.1');
  else args[0] = redirected(args[0]);
  return connect.apply(this, args);
};
`}function so(e,{trust:t,redirect:o},n){let r=g(e,"python");re(r),A(r,493);let s=(o?.hosts??[]).map(({name:a,port:d})=>[a,d]);return de(g(r,"sitecustomize.py"),`TRUST, HOSTS, PORT = ${JSON.stringify(t??
"")}, ${JSON.stringify(s)}, ${o?.to??0}
${st}`),n===void 0||n===""?r:`${r}${pe}${n}`}var st=`

def certifi(module):
    def where():
        return TRUST

    def contents():
        with open(TRUST, encoding="ascii") as file:
            return file.read()

    for one in (module, getattr(module, "core", module)):
        one.where, one.contents = where, contents


def socket(module):
    def getaddrinfo(host, port, *args, **options):
        name = host.decode("ascii", "replace") if isinstance(host, bytes) else host
        number = int(port) if isinstance(port, str) and port.isdigit() else {"https": 443, "http": 80}.get(port, port)
        if isinstance(name, str) and [name.lower(), number] in HOSTS:
            host, port = "127.0.0.1", PORT
        return known(host, port, *args, **options)

    known, module.getaddrinfo = module.getaddrinfo, getaddrinfo


def load():
    import importlib.machinery
    import importlib.util
    import os
    import sys

    changes = {"certifi": certifi} if TRUST else {}
    if HOSTS:
        changes["socket"] = socket

    class Finder:
        @staticmethod
        def find_spec(name, path=None, target=None):
            change = changes.pop(name, None)
            spec = None if change is None else importlib.util.find_spec(name)
            if spec is None or spec.loader is None or isinstance(spec.loader, type):
                return spec
            run = spec.loader.exec_module

            def exec_module(module):
                run(module)
                change(module)

            spec.loader.exec_module = exec_module
            return spec

    for name in [name for name in changes if name in sys.modules]:
        changes.pop(name)(sys.modules[name])
    sys.meta_path.insert(0, Finder)
    # The module of this name that this one hides.
    here = os.path.dirname(os.path.abspath(__file__))
    others = [path for path in sys.path if os.path.abspath(path) != here]
    hidden = importlib.machinery.PathFinder.find_spec("sitecustomize", others)
    if hidden is not None:
        hidden.loader.exec_module(importlib.util.module_from_spec(hidden))


# An old Python has no such modules, and must start all the same.
try:
    load()
except ImportError:
    pass
`;function de(e,t){return ce(e,t),A(e,420),e}var ct,it=()=>ct??=require                 ("node:child_process");var I=(...e)=>it().spawn(...e);var pt,at=()=>pt??=require                 ("node:fs"),N=e=>at()[e];var xe=N("readdirSync");var me=N("readlinkSync");var D=N("rmSync");var lt,dt=()=>lt??=require                 ("node:net"),xt=e=>dt()[e];var Se=xt("createServer");var mt,St=()=>mt??=require                 ("node:os");var ye=St();var yt,ut=()=>yt??=require                 ("node:timers/promises"),ft=e=>ut()[e],L=ft("setTimeout");var ht=["SIGINT","SIGTERM","SIGHUP","SIGQUIT","SIGUSR1","SIGUSR2"],he=2e3,gt=200,kt=10;async function wt(e){process.removeAllListeners("disconnect").once("disconnect",()=>{D(e.folder,{recursive:!0,force:!0}),
process.exit(1)});try{for(let r of e.ports)for(let s of e.addresses)await Pt(r,s)}catch(r){return U({kind:"failed",message:`no port of its network: ${r.message}`})}let[t="",...o]=e.command,n=I(t,o,{stdio:"\
inherit",env:e.variables});n.on("error",({message:r})=>{U({kind:"failed",message:r})}),n.on("spawn",()=>$({kind:"started",pid:n.pid})),n.on("exit",(r,s)=>{vt(e,{code:r,signal:s})}),process.removeAllListeners(
"message").on("message",({signal:r})=>n.kill(r)),process.removeAllListeners("disconnect").on("disconnect",()=>{Et(n,e)})}async function vt({hasOwnNetwork:e},t){let o=e?P("self"):void 0;await ue(o,gt);
let n=H(o).length;return v(o,"SIGTERM"),await ue(o,he),v(o),U({kind:"ended",...t,left:n})}async function ue(e,t){for(let o=performance.now()+t;H(e).length>0&&performance.now()<o;)await L(kt)}async function Pt(e,t){
let o=Se();await new Promise((n,r)=>{o.once("error",r).listen(e,t,n)}),await new Promise(n=>process.send({kind:"listening",port:e},o,{},()=>n())),o.close()}async function Et(e,{folder:t,hasOwnNetwork:o}){
e.removeAllListeners("exit");let r=e.exitCode!==null||e.signalCode!==null?void 0:new Promise(s=>e.once("exit",s));e.kill("SIGTERM"),await Promise.race([r,L(he)]),e.kill("SIGKILL"),o&&v(P("self")),D(t,
{recursive:!0,force:!0}),process.exit(1)}function P(e){try{return me(`/proc/${e}/ns/net`)}catch{return}}function H(e){return e===void 0?[]:xe("/proc").map(Number).filter(o=>o>0&&o!==process.pid&&P(o)===
e)}function v(e,t){for(let o of H(e))ge(o,t)}function ge(e,t="SIGKILL"){try{process.kill(e,t)}catch{}}function $(e){process.connected&&process.send(e,void 0,{},()=>{})}function U(e){return process.removeAllListeners(
"message").once("message",()=>process.exit()),$(e),new Promise(()=>{})}function ko(e,t,o,n){let{NODE_OPTIONS:r,...s}=o,[a,...d]=[...t,...G("supervisor",["--no-warnings"]).words],c=I(a,d,{env:s,stdio:[
"inherit","inherit","inherit","ipc"]}),l=[],x,i,p=!1,y=new Promise((f,E)=>{c.on("error",m=>E(fe(e,m.message))),c.on("message",(m,B)=>{m.kind==="ready"?O(c,e):m.kind==="started"?[x,i]=[m.pid,P(m.pid)]:
m.kind==="failed"||m.kind==="ended"?(p=!0,O(c,{}),m.kind==="ended"?f(Ft(m)):E(fe(e,m.message))):(B.on("connection",we=>n(m.port,we)),l.push(B))}),c.on("disconnect",()=>{p||(x!==void 0&&ge(x),e.hasOwnNetwork&&
v(i),E(ke(`The supervisor of ${e.command[0]} was killed, and the program with it.`)))})}),S=()=>{for(let f of l)f.close()};return{ended:y.finally(S),forward:f=>O(c,{signal:f}),abandon:()=>{p=!0,c.connected&&
c.disconnect()}}}function O(e,t){e.connected&&e.send(t,()=>{})}function Ft({code:e,signal:t,left:o}){return{exit:t===null?e??1:128+ye.constants.signals[t],signal:t,left:o}}function fe({command:e},t){return ke(
`${e[0]} was not started: ${t}.`)}function ke(e){return new M({code:"program",message:e})}if(process.send!==void 0&&J("supervisor")){for(let e of ht)process.on(e,()=>{});process.once("message",e=>{wt(
e)}),process.once("disconnect",()=>process.exit(1)),$({kind:"ready"})}                                                                                

return{a:Mt,b:Vt,c:oo,d:tt,e:no,f:ro,g:so,h:ht,i:ko}})