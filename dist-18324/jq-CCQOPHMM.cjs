require('../bin/start.js').use('jq-CCQOPHMM.js');
