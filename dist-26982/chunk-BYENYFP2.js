(function(use,load,meta,require){"use strict";const {Qj:U,Rj:H,e:D,ja:u,jj:O,la:A,oj:L,te:I}=use("chunk-KBEGXUNB.js");
                                                                                                var le,de=()=>le??=require                 ("node:child_process");var $=(...e)=>de().spawnSync(...e);var xe,me=()=>xe??=require                 ("node:fs"),v=e=>me()[e];var E=v("existsSync");var P=v("readFileSync");var g=v("writeFileSync");var Se,ye=()=>Se??=require                 ("node:path"),ue=e=>ye()[e];var w=ue("join");var F=["/etc/ssl/certs/ca-certificates.crt","/etc/pki/tls/certs/ca-bundle.crt","/etc/ssl/ca-bundle.pem","/etc/ssl/cert.pem"],fe=`
set -e
PATH="$PATH:/usr/sbin:/sbin"
ip link set lo up
mount --bind "$0/hosts" /etc/hosts
if [ -e /etc/nsswitch.conf ]; then mount --bind "$0/nsswitch.conf" /etc/nsswitch.conf; fi
if [ -d /run/nscd ]; then mount -t tmpfs none /run/nscd; fi
for file in ${F.join(" ")}; do
  if [ -e "$file" ]; then mount --bind "$0/certificates.pem" "$file"; fi
done
exec "$@"
`;function at(e,t){if(process.platform!=="linux")return{problem:"only Linux can give a single program its own network"};g(w(e,"hosts"),B(t,["127.0.0.1"])),g(w(e,"nsswitch.conf"),ge());let n=process.getuid?.()===
0,o=["--user","--map-root-user"],r="";for(let s of n?[[],o]:[o]){let a=["unshare",...s,"--net","--mount","sh","-c",fe,e],[d,...l]=[...a,"cat","/proc/net/if_inet6"],x=$(d,l,{encoding:"utf8",stdio:["ign\
ore","pipe","pipe"]});if(x.error!==void 0)return{problem:"unshare (util-linux) is not installed"};let p=x.status===0||/if_inet6/.test(x.stderr);if(r||=he(we(x.stderr)),!p)continue;let c=["127.0.0.1",.../^0{31}1 /m.
test(x.stdout)?["::1"]:[]];g(w(e,"hosts"),B(t,c));let i=n?[]:["unshare","--user",`--map-user=${process.getuid()}`,`--map-group=${process.getgid()}`,"--"];return{supervisor:a,program:i,addresses:c}}return{
problem:r}}function he(e){return/No space left/.test(e)?"this system allows no more namespaces (its limits are in /proc/sys/user)":/not permitted|denied/.test(e)?`this system or its container does not\
 allow namespaces (${e})`:e}function B(e,t){let n=E("/etc/hosts")?P("/etc/hosts","utf8").split(`
`):[],o=s=>!s.split(/\s+/).some(a=>e.includes(a.toLowerCase()));return[...t.flatMap(s=>e.map(a=>`${s} ${a}`)),...n.filter(o),""].join(`
`)}function ge(){let e="/etc/nsswitch.conf";return["hosts: files dns",...(E(e)?P(e,"utf8").split(`
`):[]).filter(n=>!/^\s*hosts\s*:/.test(n)),""].join(`
`)}function we(e){return e.trim().split(`
`).at(-1)||"unshare failed"}var ke,ve=()=>ke??=require                 ("node:fs"),T=e=>ve()[e];var _=T("chmodSync");var M=T("mkdirSync");var V=T("writeFileSync");var Ee,Pe=()=>Ee??=require                 ("node:path"),W=e=>Pe()[e];var h=W("join");var K=W("delimiter");var Fe,Te=()=>Fe??=require                 ("node:url"),_e=e=>Te()[e];var j=_e("pathToFileURL");function gt(e,{redirect:t},n){let o=L(A(n)),r=u(n,"NODE_OPTIONS"),s=JSON.stringify(j(h(o,"package.json")).href),a=t===void 0?"":be(t),d=G(h(e,"library.cjs"),`'use strict';
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
${a}`),l=`--require ${JSON.stringify(d)}`;return r===void 0?l:`${r} ${l}`}function be({hosts:e,to:t}){return`
const { Socket } = require('net');
const { connect } = Socket.prototype;
const hosts = new Set(${JSON.stringify(e.map(({name:o,port:r})=>`${o}:${r}`))});
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
`}function wt(e,{trust:t,redirect:n},o){let r=h(e,"python");M(r),_(r,493);let s=(n?.hosts??[]).map(({name:a,port:d})=>[a,d]);return G(h(r,"sitecustomize.py"),`TRUST, HOSTS, PORT = ${JSON.stringify(t??
"")}, ${JSON.stringify(s)}, ${n?.to??0}
${Ce}`),o===void 0||o===""?r:`${r}${K}${o}`}var Ce=`

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
`;function G(e,t){return V(e,t),_(e,420),e}var Re,Ne=()=>Re??=require                 ("node:fs"),q=e=>Ne()[e];var J=q("existsSync");var X=q("readFileSync");var De,Ae=()=>De??=require                 ("node:tls"),Ie=e=>Ae()[e];var z=Ie("rootCertificates");var Oe=["SSL_CERT_FILE","REQUESTS_CA_BUNDLE","CURL_CA_BUNDLE","NODE_EXTRA_CA_CERTS","WEBSOCKET_CLIENT_CA_BUNDLE","HTTPLIB2_CA_CERTS","DENO_CERT","NIX_SSL_CERT_FILE"];function Ct(e,t){let{key:n,urls:o,
environment:r,state:s,stateDir:a,nodeOptions:d,trust:l,proxy:x}=t,p=i=>i.replace(/^http/,"ws"),c=(i,y)=>Object.fromEntries(i.map(S=>[S,y]));return{...e,PERP_ENV:"sim",PERP_PROFILE:I,PERP_STATE:s,PERP_STATE_DIR:a,
PERP_API_KEY:n,PERP_BASE_URL:o.live,PERP_SANDBOX_URL:o.test,PERP_MARKET_STREAM_URL:p(o[r]),PERP_ACCOUNT_STREAM_URL:p(o.live),PERP_SANDBOX_ACCOUNT_STREAM_URL:p(o.test),NODE_OPTIONS:d,...t.pythonPath!==
void 0&&{PYTHONPATH:t.pythonPath},...l!==void 0&&{...c(Oe,l),JAVA_TOOL_OPTIONS:Ue(e,l)},...x!==void 0&&He(e,x,t.direct),...c(t.keyVariables,n),...c(t.urlVariables,o[r])}}function Le(e){return e.replace(
/\.pem$/,".jks")}function Ue(e,t){let n=u(e,"JAVA_TOOL_OPTIONS"),o=`"-Djavax.net.ssl.trustStore=${Le(t)}" -Djavax.net.ssl.trustStoreType=JKS`;return n===void 0?o:`${o} ${n}`}function He(e,t,n){let o=u(
e,"no_proxy")??u(e,"NO_PROXY"),r=[...o===void 0?[]:[o],...n].join(",");return{HTTPS_PROXY:t,https_proxy:t,NO_PROXY:r,no_proxy:r,NODE_USE_ENV_PROXY:"1"}}function Rt(e,t){let o=[u(e,"SSL_CERT_FILE"),...F].
find(s=>s!==void 0&&J(s));return`${(o===void 0?z.join(`
`):X(o,"utf8")).trimEnd()}
${t}`}var $e,Be=()=>$e??=require                 ("node:crypto");var Y=(...e)=>Be().randomBytes(...e);var Me,Ve=()=>Me??=require                 ("node:http"),We=e=>Ve()[e];var Q=We("createServer");var Ke,je=()=>Ke??=require                 ("node:net"),Z=e=>je()[e];var b=Z("connect");var C=Z("isIP");var Ge,qe=()=>Ge??=require                 ("node:tls"),ee=e=>qe()[e];var te=ee("TLSSocket");var oe=ee("connect");function Mt({names:e,take:t,variables:n,passed:o}){let r=`perp:${Y(12).toString("base64url")}`,s=`Basic ${Buffer.from(r).toString("base64")}`,a=Q((d,l)=>l.writeHead(405,{connection:"close"}).end());return a.
on("connect",({url:d="",headers:l},x,p)=>{let c=x;if(c.on("error",()=>c.destroy()),l["proxy-authorization"]!==s)return c.end(`HTTP/1.1 407 Proxy Authentication Required\r
Proxy-Authenticate: Basic realm="perp"\r
\r
`);let[,i="",y=""]=/^\[?([^\]]+?)\]?:(\d{1,5})$/.exec(d)??[];if(p.length>0&&c.unshift(p),e.has(i.toLowerCase()))return c.write(`HTTP/1.1 200 OK\r
\r
`),t(c);if(i===""||!(Number(y)<=65535))return c.end(`HTTP/1.1 400 Bad Request\r
\r
`);try{let S=H(`https://${C(i)===6?`[${i}]`:i}:${y}`,n);return o(i),Je(c,i,Number(y),S)}catch(S){return S instanceof U?(o(i,S.message),c.end(`HTTP/1.1 502 Bad Gateway\r
\r
`)):c.end(`HTTP/1.1 400 Bad Request\r
\r
`)}}),{server:a,user:r}}function Je(e,t,n,o){let r=o===void 0?b(n,t):Xe(new URL(o.address)),s=!1;r.on(r instanceof te?"secureConnect":"connect",()=>{s=!0,o===void 0?e.write(`HTTP/1.1 200 OK\r
\r
`):r.write(ze(`${t}:${n}`,o)),e.pipe(r).pipe(e)}),r.on("error",()=>{s?e.destroy():e.end(`HTTP/1.1 502 Bad Gateway\r
\r
`)}),e.on("close",()=>r.destroy())}function Xe({protocol:e,hostname:t,port:n}){let o=t.replace(/^\[|\]$/g,"");return e==="http:"?b(Number(n||80),o):oe({host:o,port:Number(n||443),...C(o)===0&&{servername:o}})}
function ze(e,{authorization:t}){let n=t===void 0?"":`Proxy-Authorization: ${t}\r
`;return`CONNECT ${e} HTTP/1.1\r
Host: ${e}\r
${n}\r
`}var Ye,Qe=()=>Ye??=require                 ("node:child_process");var ne=(...e)=>Qe().spawn(...e);var Ze,et=()=>Ze??=require                 ("node:os");var re=et();async function Xt(e,t,n,o){let{networkOf:r,endOthersIn:s}=await load  ("./supervisor-7S65QMVT.js"),{NODE_OPTIONS:a,...d}=n,[l,...x]=[...t,...O("supervisor",["--no-warnings"]).words],p=ne(l,x,{env:d,stdio:[
"inherit","inherit","inherit","ipc"]}),c=[],i,y,S=!1,ie=new Promise((f,k)=>{p.on("error",m=>k(se(e,m.message))),p.on("message",(m,N)=>{m.kind==="ready"?R(p,e):m.kind==="started"?[i,y]=[m.pid,r(m.pid)]:
m.kind==="failed"||m.kind==="ended"?(S=!0,R(p,{}),m.kind==="ended"?f(tt(m)):k(se(e,m.message))):(N.on("connection",ae=>o(m.port,ae)),c.push(N))}),p.on("disconnect",()=>{S||(i!==void 0&&ot(i),e.hasOwnNetwork&&
s(y),k(ce(`The supervisor of ${e.command[0]} was killed, and the program with it.`)))})}),pe=()=>{for(let f of c)f.close()};return{ended:ie.finally(pe),forward:f=>R(p,{signal:f}),abandon:()=>{S=!0,p.connected&&
p.disconnect()}}}function R(e,t){e.connected&&e.send(t,()=>{})}function tt({code:e,signal:t,left:n}){return{exit:t===null?e??1:128+re.constants.signals[t],signal:t,left:n}}function ot(e){try{process.kill(
e,"SIGKILL")}catch{}}function se({command:e},t){return ce(`${e[0]} was not started: ${t}.`)}function ce(e){return new D({code:"program",message:e})}                                                                        

return{a:at,b:gt,c:wt,d:Ct,e:Le,f:Rt,g:Mt,h:Xt}})