import PingAMSimulator

extension SimulatorServer {
    /// Calls `body` with a server that listens until it returns.
    static func running<Value>(_ body: (SimulatorServer) async throws -> Value) async throws -> Value {
        let server = try await start()
        do {
            let value = try await body(server)
            await server.stop()
            return value
        } catch {
            await server.stop()
            throw error
        }
    }
}
