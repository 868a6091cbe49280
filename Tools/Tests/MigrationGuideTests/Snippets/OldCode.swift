import FRAuthenticator

enum OldCode {
    // guide: begin
    static func code(of mechanism: TOTPMechanism) throws -> (String, Float) {
        let code = try mechanism.generateCode()
        return (code.code, code.progress)
    }
    // guide: end
}
