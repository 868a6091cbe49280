import PingPush

// guide: begin
struct NewOfficeHours: MfaPolicy {
    let name = "officeHours"
    let areNow: @Sendable () -> Bool

    func evaluate(data: [String: Any]?) async throws -> Bool { areNow() }
}
// guide: end
