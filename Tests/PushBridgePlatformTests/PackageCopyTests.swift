import Foundation
import PushBridgePlatform
import Testing

/// Two copies of the package in one process are noticed.
@Suite("Copies of the package")
struct PackageCopyTests {
    @Test func aSecondCopyIsReported() {
        #expect(PackageCopy.this.note() == nil)
        #expect(PackageCopy.this.note() == nil)
        let other = PackageCopy(identity: 1)
        #expect(other.note()?.contains("two copies of PushBridge") == true)
        #expect(PackageCopy.this.note()?.contains("two copies of PushBridge") == true)
    }
}
