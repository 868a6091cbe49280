import PingPush
