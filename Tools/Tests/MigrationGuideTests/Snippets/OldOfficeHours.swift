import FRAuthenticator
import Foundation

// guide: begin
class OldOfficeHours: NSObject, FRAPolicy {
    let name = "officeHours"
    var data: Any?
    let areNow: () -> Bool

    init(areNow: @escaping () -> Bool) { self.areNow = areNow }

    func evaluate() -> Bool { areNow() }
}
// guide: end
