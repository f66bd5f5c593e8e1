(function(use,load,meta,require){"use strict";const {a:a,b:b}=use("chunk-ZUQ6AW6N.js");use("chunk-QV5JACLC.js");use("chunk-XXKGL3XC.js");use("chunk-RU3MTBED.js");use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                                                    

return{Origins:a,originOf:b}})