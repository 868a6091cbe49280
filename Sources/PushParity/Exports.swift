@_exported public import PingAMSimulator
