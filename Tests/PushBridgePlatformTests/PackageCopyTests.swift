import Foundation
import PushBridgePlatform
import Testing

/// Two copies of the package in one process are noticed.
@Suite("Copies of the package")
struct PackageCopyTests {
    @Test func aSecondCopyIsReported() {
        let center = NotificationCenter()
        let (this, other) = (PackageCopy(identity: 1, at: center), PackageCopy(identity: 2, at: center))
        #expect(this.note() == nil)
        #expect(this.note() == nil)
        #expect(other.note()?.contains("two copies of PushBridge") == true)
        #expect(this.note()?.contains("two copies of PushBridge") == true)
    }

    @Test func theTestsAreOneCopy() {
        #expect(PackageCopy.this.note() == nil)
        #expect(PackageCopy.this.note() == nil)
    }
}
