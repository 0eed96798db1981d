/// One app installation that pushes can be addressed to.
///
/// A trivial value: it names the device and what is special about it. The token's text is written by the fleet that
/// made the device, so that nothing is allocated per device.
package struct Device: Sendable, Equatable {
    /// The device's number in the fleet; for a fleet from CSV, its `index` column.
    package let index: UInt64
    package let lane: FleetLane
    package let defect: Defect
    /// The app that the sender believes is installed: an index into the fleet's apps.
    package let app: Int
    /// How many characters the token has.
    package let tokenLength: Int
    /// What the token's text is made from: the device's own random state, or its row in a CSV fleet.
    let key: UInt64
}
