import PingPush

// guide: begin
struct NewOfficeHours: MfaPolicy {
    let name = "officeHours"
    let areNow: @Sendable () -> Bool

    func isSatisfied(by parameters: JSONValue) -> Bool { areNow() }
}
// guide: end
