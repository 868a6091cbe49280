import PingOath

enum NewCode {
    // guide: begin
    static func code(of id: String, from client: OathClient) async throws -> (String, Double) {
        let code = try await client.generateCodeWithValidity(id)
        return (code.code, code.progress)
    }
    // guide: end
}
